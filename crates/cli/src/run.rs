//! What each command does: parse, call the use case, print.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::ExitCode;

use history::{ListFilter, Reason};
use model::{Context, Severity};
use serde_json::json;
use workbench::api::{ApiError, ErrorCode, outputs};
use workbench::assembling::{self, Assembled, Request};
use workbench::machine;
use workbench::place::{Place, text};
use workbench::use_cases::compare::Side;
use workbench::use_cases::{assemble, check, compare, emulate, init, past, render, runtime_context, tokens, why};

use crate::arguments::{
    Arguments, AssembleOptions, Command, ContextCommand, Deny, Form, Global, HistoryCommand, Profile, RenderEngine,
};
use crate::memory;
use crate::output::{self, FOUND};
use crate::project;
use crate::skills;

/// Runs a command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, ApiError> {
    let global = &arguments.global;
    match &arguments.command {
        Command::Assemble { options, form, no_record } => {
            let reason = (!no_record).then_some(Reason::Cli);
            let assembled = assembling::run(&request(global, Some(options))?, reason)?;
            let form = if global.json && *form == Form::Text { Form::Json } else { *form };
            print_assembly(&assembled, form, global.quiet)
        }
        Command::Context { command: ContextCommand::Show { options } } => {
            print_context(&runtime_context::show(&request(global, Some(options))?)?, global.json)
        }
        Command::Context { command: ContextCommand::FromEnv } => {
            print_context(&runtime_context::from_env(|name| std::env::var(name).ok()), global.json)
        }
        Command::Init => {
            let done = init::init(&request(global, None)?)?;
            for path in &done.without_template {
                output::warning(global.quiet, &format!("{path} is not made: the app has no template for it."));
            }
            if global.json {
                return fine(output::json(&done));
            }
            let made = done.created.iter().map(|path| format!("made {path}\n"));
            let kept = done.kept.iter().map(|path| format!("kept {path}\n"));
            fine(output::text(&made.chain(kept).collect::<String>()))
        }
        Command::Project { command } => project::run(&request(global, None)?.place.home, command, global),
        Command::Emulate { steps, options } => {
            fine(output::json(&emulate::emulate(&request(global, Some(options))?, steps)?))
        }
        Command::Check { options, deny } => {
            let (findings, facts) = check::check(&request(global, Some(options))?)?;
            if global.json {
                output::json(&check::output(&findings, facts))?;
            } else {
                let facts = facts.iter().map(|fact| format!("fact[{}] {}\n", fact.id, fact.message));
                output::text(&findings.iter().map(finding_line).chain(facts).collect::<String>())?;
            }
            let worst = match deny {
                None => Severity::Error,
                Some(Deny::Warning) => Severity::Warning,
                Some(Deny::Info) => Severity::Info,
            };
            Ok(found_if(findings.iter().any(|finding| finding.severity >= worst)))
        }
        Command::Tokens { file, model, encoding, provider } => {
            let how = tokens::How { model: model.clone(), provider: provider.clone(), encoding: encoding.clone() };
            let count = tokens::count(&read_text(file.as_deref())?, &how)?;
            if global.json {
                return fine(output::json(&count));
            }
            fine(output::text(&count_line(&count)))
        }
        Command::Compare { a, b, options } => {
            let result = compare::compare(&request(global, Some(options))?, &Side::parse(a)?, &Side::parse(b)?)?;
            if global.json {
                return fine(output::json(&result));
            }
            fine(output::text(&comparison(&result)))
        }
        Command::Render { template, values, engine: RenderEngine::Handlebars, partials } => {
            let result = render::render_file(template, values.as_deref(), partials)?;
            print_rendered(&result, global.json)
        }
        Command::Why { phrase, ignore_case, options } => {
            let found = why::why(&request(global, Some(options))?, phrase, *ignore_case)?;
            if global.json {
                output::json(&found)?;
            } else if found.places.is_empty() {
                output::text("The phrase stands in no file that was looked at, and not in the prompt.\n")?;
            } else {
                output::text(&found.places.iter().map(place_line).collect::<String>())?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Memory { options, command } => memory::run(global, options, command.as_ref()),
        Command::Skills { command } => skills::run(global, command),
        Command::History { command } => print_history(&request(global, None)?.place.home, command, global.json),
        Command::Schema => fine(output::json(&outputs::schemas())),
    }
}

pub(crate) fn fine(printed: Result<(), ApiError>) -> Result<ExitCode, ApiError> {
    printed.map(|()| ExitCode::SUCCESS)
}

fn found_if(found: bool) -> ExitCode {
    if found { ExitCode::from(FOUND) } else { ExitCode::SUCCESS }
}

/// What the options ask for. A flag beats the context's key.
pub(crate) fn request(global: &Global, options: Option<&AssembleOptions>) -> Result<Request, ApiError> {
    let home = machine::home(global.home.clone()).ok_or_else(|| {
        ApiError::english(ErrorCode::NotFound, "The home folder is unknown. Give it with --home, or set CATBUDDY_HOME.")
    })?;
    let given = |path: &Option<std::path::PathBuf>| path.as_deref().map(text);
    let place = Place {
        home,
        workspace: given(&global.workspace),
        project: given(&global.project),
        app: given(&global.app),
        own_profile: global.profile.map(|profile| profile == Profile::Own),
    };
    let Some(options) = options else { return Ok(Request { place, ..Request::default() }) };
    let flags = Context {
        channel: options.channel.clone(),
        message: options.message.clone(),
        model: options.model.clone(),
        max_tokens: options.max_tokens,
        ..Context::default()
    };
    Ok(Request { place, context_file: options.context.clone(), flags, variant: options.variant.clone() })
}

fn print_assembly(assembled: &Assembled, form: Form, quiet: bool) -> Result<ExitCode, ApiError> {
    for warning in &assembled.warnings {
        output::warning(quiet, warning);
    }
    let assembly = &assembled.assembly;
    let failed = assembly.target_error.is_some();
    if form == Form::Json {
        output::json(&assemble::output(assembled))?;
        let over = assembly.findings.iter().any(|finding| finding.id == "budget-unreachable");
        return Ok(found_if(failed || over));
    }
    if let Some(error) = &assembly.target_error {
        output::warning(false, &format!("the agent could not start: {}", error.message));
        return Ok(ExitCode::from(FOUND));
    }
    match form {
        Form::Text | Form::Json => output::text(&assembly.text())?,
        Form::UserMessage => output::text(&assembly.user_message.text)?,
        Form::Messages => output::json(&assembly.messages)?,
        // The target sends its system prompt as one string: one block without a mark.
        Form::Blocks => output::json(&json!([{ "type": "text", "text": assembly.text() }]))?,
    }
    if let Some(over) = assembly.findings.iter().find(|finding| finding.id == "budget-unreachable") {
        output::warning(false, &over.message);
        return Ok(ExitCode::from(FOUND));
    }
    Ok(ExitCode::SUCCESS)
}

fn print_context(shown: &outputs::ContextOutput, as_json: bool) -> Result<ExitCode, ApiError> {
    if as_json {
        return fine(output::json(shown));
    }
    let empty = serde_json::Map::new();
    let lines = shown.context.as_object().unwrap_or(&empty).iter().map(|(key, value)| {
        let origin = shown.origins.get(key).and_then(serde_json::Value::as_str).unwrap_or("default");
        format!("{key} = {value}  ({origin})\n")
    });
    fine(output::text(&lines.collect::<String>()))
}

fn print_rendered(result: &outputs::RenderOutput, as_json: bool) -> Result<ExitCode, ApiError> {
    if as_json {
        output::json(result)?;
    } else if let Some(error) = &result.error {
        output::warning(false, &error.message);
    } else {
        output::text(result.text.as_deref().unwrap_or_default())?;
    }
    Ok(found_if(result.error.is_some()))
}

fn print_history(home: &std::path::Path, command: &HistoryCommand, as_json: bool) -> Result<ExitCode, ApiError> {
    match command {
        HistoryCommand::List { limit, channel, before } => {
            let filter = ListFilter {
                limit: *limit,
                channel: channel.clone(),
                before_id: before.map(history::AssemblyId),
                ..ListFilter::default()
            };
            let listed = past::list(home, &filter)?;
            if as_json {
                return fine(output::json(&listed));
            }
            let rows = listed.assemblies.as_array().cloned().unwrap_or_default();
            fine(output::text(&rows.iter().map(history_line).collect::<String>()))
        }
        HistoryCommand::Show { id } => {
            let shown = past::show(home, *id)?;
            match (&shown.text, as_json) {
                (Some(text), false) => fine(output::text(text)),
                _ => fine(output::json(&shown)),
            }
        }
        HistoryCommand::Prune { days, count, mib, dry_run } => {
            let pruned = past::prune(home, past::Prune { days: *days, count: *count, mib: *mib }, *dry_run)?;
            if as_json {
                return fine(output::json(&pruned));
            }
            let would = if *dry_run { "would be removed" } else { "removed" };
            fine(output::text(&format!(
                "{would}: {} assemblies, {} versions; {} bytes in use before, {} after\n",
                pruned.assemblies, pruned.versions, pruned.bytes_before, pruned.bytes_after
            )))
        }
    }
}

pub(crate) fn read_text(file: Option<&std::path::Path>) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    let read = match file {
        Some(path) => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
        None => std::io::stdin().lock().read_to_end(&mut bytes),
    };
    let name = file.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    read.map_err(|error| {
        ApiError::english(ErrorCode::NotFound, format!("{name} cannot be read: {error}.")).with("path", &name)
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ApiError::english(ErrorCode::Invalid, format!("{name} is not UTF-8: the first bad byte is at offset {at}."))
            .with("offset", at)
    })
}

fn finding_line(finding: &model::Finding) -> String {
    let mark = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let place = match (&finding.path, finding.range) {
        (Some(path), Some(range)) => format!("{path}:{}: ", range.start),
        (Some(path), None) => format!("{path}: "),
        (None, _) => String::new(),
    };
    format!("{mark}[{}] {place}{}\n", finding.id, finding.message)
}

pub(crate) fn number(count: Option<u32>) -> String {
    count.map_or_else(|| "unknown".to_owned(), |count| count.to_string())
}

fn count_line(count: &outputs::CountOutput) -> String {
    if count.low == count.high {
        format!("{} tokens, {}\n", number(count.total), count.method)
    } else {
        format!("{} tokens ({}–{}), {}\n", number(count.total), number(count.low), number(count.high), count.method)
    }
}

fn place_line(place: &outputs::WhyPlace) -> String {
    format!("{}:{}: {}\n    {}\n", place.path, place.line, place.reason, place.excerpt)
}

fn comparison(result: &outputs::CompareOutput) -> String {
    let notes: String = result.notes.iter().flat_map(|note| [note.as_str(), "\n"]).collect();
    let Some(first) = &result.first_difference else { return format!("Both are byte for byte the same.\n{notes}") };
    let section = first.section_b.as_deref().or(first.section_a.as_deref()).unwrap_or("the end");
    let mut text = format!(
        "First difference at byte {}, line {} of the prompt, in {section}.\n{} tokens before it stay, {} after it are lost to a cache.\n",
        first.offset,
        first.line,
        number(result.tokens_kept),
        number(result.tokens_lost)
    );
    for change in result.sections.iter().filter(|change| change.change != "same") {
        let _ = writeln!(
            text,
            "{:8} {}: {} → {} tokens",
            change.change,
            change.title,
            number(change.tokens_a),
            number(change.tokens_b)
        ); // a String takes everything
    }
    text.push_str(&notes);
    text
}

fn history_line(row: &serde_json::Value) -> String {
    let word = |key: &str| match &row[key] {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "–".to_owned(),
        other => other.to_string(),
    };
    format!(
        "{:>6}  {}  {:10} {:14} {:>8} tokens  seen {}\n",
        word("id"),
        word("time"),
        word("channel"),
        word("variant"),
        word("tokens"),
        word("seen")
    )
}
