//! cbw, the command-line twin of the workbench.
