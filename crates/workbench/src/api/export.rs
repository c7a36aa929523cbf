//! Writes the TypeScript of the wire types and the list of commands, and fails when the committed files are stale.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use ts_rs::{Config, TS};

use super::*;

const HEADER: &str = "// Generated from crates/workbench/src/api by `make types`. Do not edit.\n\n";

macro_rules! types {
    ($($name:ident),+ $(,)?) => {
        /// The declarations of every wire type, in order.
        fn declarations() -> String {
            let config = Config::default();
            let mut text = String::from(HEADER);
            $(
                for line in <$name as TS>::docs().unwrap_or_default().lines() {
                    text.push_str(line);
                    text.push('\n');
                }
                writeln!(text, "export {}\n", <$name as TS>::decl(&config)).unwrap();
            )+
            text
        }
    };
}

types![
    ApiError,
    ErrorCode,
    Boot,
    FoundKind,
    FoundWorkspace,
    StarterView,
    OpenRequest,
    RootId,
    WorkspaceView,
    RootView,
    FileItem,
    AppView,
    IgnoredView,
    ProjectView,
    ChannelView,
    VariantView,
    ModelView,
    ThemeChoice,
    Settings,
    SkillOrder,
    LastSeen,
    ProjectList,
    LayoutChoice,
    ProjectProblem,
    ProjectRow,
    ProjectFolder,
    ProjectsChange,
    ProfileChoice,
    WorkspaceFolder,
    FilesMade,
    AboutView,
    HistoryShare,
    HistoryUsage,
    RetentionRequest,
    RetentionView,
    LostDraft,
    LostDraftHead,
    LostDraftName,
    LostDrafts,
    AppFound,
    WorkspaceChanged,
    FileRef,
    FileState,
    FileProblem,
    ProblemView,
    LineEndsView,
    DocumentView,
    ConflictView,
    TextChange,
    EditRequest,
    EditResult,
    TypedRequest,
    TypedView,
    SaveResult,
    SaveAgreed,
    DiskView,
    FixActionView,
    FixRequest,
    FixView,
    RenamedView,
    DecodingsView,
    DecodingView,
    ConvertRequest,
    MergeProblem,
    HunkKindView,
    HunkView,
    MergeView,
    MergedRequest,
    VersionsRequest,
    VersionKindView,
    VersionView,
    VersionList,
    VersionRequest,
    VersionHead,
    FormRequest,
    FormView,
    FormBlockView,
    LinesView,
    FormGroupView,
    FormControl,
    FormWidth,
    FormFieldView,
    FormItemView,
    ChoiceView,
    KeptView,
    FormChange,
    FormEditRequest,
    FormEditView,
    PreviewRequest,
    CountView,
    PreviewHead,
    StabilityView,
    SectionView,
    SpanView,
    SourceKind,
    SourceView,
    SkippedView,
    SeverityView,
    RangeView,
    FindingView,
    MessageView,
    ToolSchemaView,
    FingerprintView,
    FingerprintPartView,
    CacheView,
    TargetErrorView,
    StageView,
    SkillCost,
    SkillCounts,
    SkillLink,
    SkillField,
    SkillYamlError,
    SkillYaml,
    SkillRow,
    NotASkill,
    SkillBudget,
    SkillsView,
    SkillName,
    SkillNew,
    SkillCopy,
    SkillSwitch,
    SkillTrashed,
    SkillDone,
    SkillsChanged,
    ContextList,
    KeyKindView,
    ContextKeyView,
    ContextView,
    ContextValueView,
    ContextSave,
    ContextCheck,
    ContextName,
    ContextText,
    HistoryRequest,
    HistoryPage,
    HistoryRowView,
    MemoryView,
    MemoryOwner,
    MemoryLayer,
    MemoryEntryView,
    MemoryDuplicate,
    MemoryCopy,
    MemoryMark,
    MemoryPoint,
    MemorySize,
    MemorySplitRequest,
    MemorySplit,
    MemorySections,
    MemoryTexts,
    WhyRequest,
    WhyView,
    WhyPlaceView,
    WhyKind,
    WhyLookedAt,
    CompareLogRequest,
    CompareLogView,
    CompareFirst,
    CompareSection,
    Nothing,
];

/// The typed list of commands for the window.
fn client() -> String {
    let mut names: Vec<&str> = COMMANDS.iter().flat_map(|command| [command.request, command.reply]).collect();
    names.sort_unstable();
    names.dedup();
    let mut text = format!("{HEADER}import type {{ {} }} from \"./types\";\n\n", names.join(", "));
    text.push_str(
        "/** Every command: its request, its reply, and whether the reply is a head with a text beside it. */\n",
    );
    text.push_str("export interface Commands {\n");
    for command in COMMANDS {
        writeln!(
            text,
            "  {}: {{ request: {}; reply: {}; framed: {} }};",
            command.name, command.request, command.reply, command.framed
        )
        .unwrap();
    }
    text.push_str(
        "}\n\n/** The commands whose reply is framed. */\nexport const FRAMED: ReadonlySet<keyof Commands> = new Set([",
    );
    let framed: Vec<String> =
        COMMANDS.iter().filter(|command| command.framed).map(|command| format!("\"{}\"", command.name)).collect();
    writeln!(text, "{}]);", framed.join(", ")).unwrap();
    text
}

/// The names for the desktop shell's build script and its capability.
fn shell_list() -> String {
    let names: Vec<String> = COMMANDS.iter().map(|command| format!("    \"{}\",\n", command.name)).collect();
    format!("{HEADER}&[\n{}]\n", names.concat())
}

/// Every finding, from the page that describes them; a test of the architecture compares that page with the sources.
fn findings() -> String {
    let page = fs::read_to_string(root().join("docs/findings.md")).unwrap();
    let mut text = String::from("// Generated from docs/findings.md by `make types`. Do not edit.\n\n");
    text.push_str(
        "/** Every finding by its id: what it is, and what to do, in English. */\nexport const FINDINGS = {\n",
    );
    // Facts are no findings: the window lists none.
    let rows = page.lines().take_while(|line| *line != "## Facts");
    for row in rows.filter_map(|line| line.strip_prefix("| `")) {
        let (id, rest) = row.split_once('`').unwrap();
        let cells: Vec<&str> = rest.split(" | ").map(|cell| cell.trim_matches([' ', '|'])).collect();
        let quoted = |cell: &str| serde_json::to_string(&cell.replace('`', "")).unwrap();
        writeln!(text, "  \"{id}\": {{ about: {}, act: {} }},", quoted(cells[2]), quoted(cells[3])).unwrap();
    }
    text.push_str("} as const;\n\nexport type FindingId = keyof typeof FINDINGS;\n");
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn generated_files_are_up_to_date() {
    let files = [
        ("ui/src/backend/generated/types.ts", declarations()),
        ("ui/src/backend/generated/commands.ts", client()),
        ("ui/src/backend/generated/findings.ts", findings()),
        ("src-tauri/commands.in.rs", shell_list()),
    ];
    for (relative, expected) in files {
        let path = root().join(relative);
        if env::var_os("CBW_WRITE_TYPES").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &expected).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == expected, "{relative} is stale: run `make types` and commit it");
    }
}
