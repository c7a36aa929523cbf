//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// See the prompt an agent will get, and where each byte of it comes from.
#[derive(Parser, Debug)]
#[command(name = "cbw", version, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command, before or after it.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// The user's home; else CATBUDDY_HOME, else the system's
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// A project: its workspace is looked for below it, and it is the work root
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Any workspace folder, taken as given; else the global profile's
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// An installed app: the folder that holds its templates/ and skills/
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) app: Option<PathBuf>,
    /// Whose USER.md a project reads; else what was chosen for it in the window, else the global profile's
    #[arg(long, global = true, value_enum, value_name = "WHOSE")]
    pub(crate) profile: Option<Profile>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no warnings
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The global profile's
    Global,
    /// The project's own
    Own,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Print the assembled prompt
    Assemble {
        #[command(flatten)]
        options: AssembleOptions,
        /// What to print
        #[arg(long = "as", value_enum, default_value_t = Form::Text, value_name = "FORM")]
        form: Form,
        /// Leave this run out of the history
        #[arg(long)]
        no_record: bool,
    },
    /// Show the runtime context
    Context {
        #[command(subcommand)]
        command: ContextCommand,
    },
    /// Make the default files that are missing; never overwrites
    Init,
    /// Keep the list of projects; their files are never touched
    Project {
        #[command(subcommand)]
        command: ProjectCommand,
    },
    /// List, make, copy, delete and switch skills
    Skills {
        #[command(subcommand)]
        command: SkillsCommand,
    },
    /// Run a sequence of builds, writes and clock steps through the target's own cache
    Emulate {
        /// The steps: a JSON file with a list "steps"
        steps: PathBuf,
        #[command(flatten)]
        options: AssembleOptions,
    },
    /// List what is wrong or odd
    Check {
        #[command(flatten)]
        options: AssembleOptions,
        /// Exit 1 on findings of this severity too
        #[arg(long, value_enum, value_name = "SEVERITY")]
        deny: Option<Deny>,
    },
    /// Count tokens
    Tokens {
        /// The text; else standard input
        file: Option<PathBuf>,
        /// Count as this model does
        #[arg(long, value_name = "ID", conflicts_with = "encoding")]
        model: Option<String>,
        /// Count by this encoding
        #[arg(long, value_name = "NAME")]
        encoding: Option<String>,
        /// The model's provider
        #[arg(long, value_name = "ID")]
        provider: Option<String>,
    },
    /// Compare two prompts
    Compare {
        /// channel=NAME, variant=ID, at=ASSEMBLY, context=FILE or log=FILE
        a: String,
        /// The same
        b: String,
        #[command(flatten)]
        options: AssembleOptions,
    },
    /// Render one template
    Render {
        /// The template
        template: PathBuf,
        /// The values: a JSON object
        #[arg(long, value_name = "FILE")]
        values: Option<PathBuf>,
        /// How the template is read
        #[arg(long, value_enum, default_value_t = RenderEngine::Handlebars)]
        engine: RenderEngine,
        /// A partial the template may use; can be given again
        #[arg(long = "partial", value_name = "NAME=FILE")]
        partials: Vec<String>,
    },
    /// Say where a phrase stands, and why it is or is not in the prompt
    Why {
        /// The phrase
        phrase: String,
        /// Take capital and small letters for the same
        #[arg(long)]
        ignore_case: bool,
        #[command(flatten)]
        options: AssembleOptions,
    },
    /// Show what the agent remembers, what it says twice, and why it is or is not in the prompt
    #[command(args_conflicts_with_subcommands = true)]
    Memory {
        #[command(flatten)]
        options: AssembleOptions,
        #[command(subcommand)]
        command: Option<MemoryCommand>,
    },
    /// Look into the history
    History {
        #[command(subcommand)]
        command: HistoryCommand,
    },
    /// Print the JSON Schemas of every JSON output
    Schema,
}

impl Command {
    /// True when the command prints JSON without `--json`.
    pub(crate) fn prints_json(&self) -> bool {
        matches!(self, Self::Schema | Self::Assemble { form: Form::Json, .. })
    }
}

/// What an assembly depends on. A flag beats the context's key.
#[derive(Args, Debug, Clone)]
pub(crate) struct AssembleOptions {
    /// The runtime context
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,
    /// The channel
    #[arg(long, value_name = "NAME")]
    pub(crate) channel: Option<String>,
    /// The variant
    #[arg(long, value_name = "ID")]
    pub(crate) variant: Option<String>,
    /// The model that tokens are counted for
    #[arg(long, value_name = "ID")]
    pub(crate) model: Option<String>,
    /// The message being sent
    #[arg(long, value_name = "TEXT")]
    pub(crate) message: Option<String>,
    /// Give things up until the prompt fits
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The system prompt
    Text,
    /// Everything
    Json,
    /// The content blocks of one request
    Blocks,
    /// The message being sent, with its suffix
    UserMessage,
    /// Summary, history, the message being sent
    Messages,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deny {
    /// Errors and warnings
    Warning,
    /// Everything
    Info,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenderEngine {
    /// As Handlebars.js, without escaping
    Handlebars,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ContextCommand {
    /// Print the context in force, and where each value came from
    Show {
        #[command(flatten)]
        options: AssembleOptions,
    },
    /// Print a context made from the environment variables that the originals read
    FromEnv,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ProjectCommand {
    /// Add a folder at the end, or give a listed one a new name
    Add {
        /// The project's folder
        path: PathBuf,
        /// A name for people; else the folder's
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,
    },
    /// List the projects in their order
    List,
    /// Take a project off the list; its files stay
    Remove {
        /// The project's folder
        path: PathBuf,
    },
    /// Move a project to a place in the list
    Move {
        /// The project's folder
        path: PathBuf,
        /// The place, counted from 1; past the end is the end
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        position: u32,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum SkillsCommand {
    /// List every skill: what the agent makes of it, and what it costs in tokens
    List,
    /// Make a skill in the workspace; never overwrites
    New {
        /// Its name: small letters, digits and hyphens
        name: String,
        /// What it is for, on one line
        #[arg(long, value_name = "TEXT", default_value = "")]
        description: String,
        /// Its text; else a template to fill in
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Copy a skill's whole folder into the workspace; a built-in one keeps its name and is read instead of the app's
    Duplicate {
        /// The skill
        name: String,
        /// The copy's name; else the next free one
        new_name: Option<String>,
        /// Copy the app's, though the workspace has one of this name
        #[arg(long)]
        builtin: bool,
    },
    /// Take a skill of the workspace to the trash
    Delete {
        /// The skill
        name: String,
    },
    /// Bring a skill back from the trash
    Restore {
        /// Where it is in the trash, as `delete` said
        stored: PathBuf,
    },
    /// Switch a skill on in the host's configuration
    Enable {
        /// The skill
        name: String,
    },
    /// Switch a skill off in the host's configuration
    Disable {
        /// The skill
        name: String,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum HistoryCommand {
    /// List assemblies, newest first
    List {
        /// At most this many
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: u32,
        /// Only this channel's
        #[arg(long, value_name = "NAME")]
        channel: Option<String>,
        /// Rows before this id
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
    },
    /// Print an assembly
    Show {
        /// Its id
        id: i64,
    },
    /// Remove what is old; without limits, what those of the settings do not let stay
    Prune {
        /// Keep assemblies seen, and versions replaced, within this many days
        #[arg(long, value_name = "N")]
        days: Option<u32>,
        /// Keep this many assemblies, and this many versions of each file
        #[arg(long, value_name = "N")]
        count: Option<u32>,
        /// Keep the history within this many MiB
        #[arg(long, value_name = "N")]
        mib: Option<u32>,
        /// Only say what would go
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum MemoryCommand {
    /// Show what the agent would append for a summary; writes nothing
    Split {
        /// The summary; else standard input
        file: Option<PathBuf>,
        /// The name in the headings; else Dream
        #[arg(long, value_name = "NAME")]
        label: Option<String>,
        /// Split it between the profile and a project, also where no project is open
        #[arg(long)]
        layered: bool,
        /// The moment of appending; else now
        #[arg(long, value_name = "RFC3339")]
        time: Option<String>,
    },
}
