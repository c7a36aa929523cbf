// Generated from crates/workbench/src/api by `make types`. Do not edit.

&[
    "boot",
    "open",
    "workspace",
    "close",
    "preview",
    "document",
    "edit",
    "save",
    "take_disk",
    "keep_mine",
    "form",
    "form_edit",
    "contexts",
    "context",
    "save_context",
    "remove_context",
    "check_context",
    "history",
    "settings",
    "save_settings",
]
