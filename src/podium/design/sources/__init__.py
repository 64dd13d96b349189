"""Where data sets come from: frames and arrays, files, names, OpenML."""
