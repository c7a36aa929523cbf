//! User files: roots, layouts, reading, saving, watching.
