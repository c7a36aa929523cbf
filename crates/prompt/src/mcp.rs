//! The tools of MCP servers: as native schemas, or as a text.
//!
//! Sorted by server and tool, so that a server which connects again in another order changes no byte.

use model::{
    ContentHash, Context, Finding, McpList, McpServer, McpTool, Severity, SkipReason, Skipped, Text, ToolSchema, text,
};

use crate::js;

/// The tools that are offered with their servers, sorted by UTF-16 units as the order of texts in the host is.
/// Equal names, which a host may let through, are sorted by what else the model sees of them.
fn offered(context: &Context) -> Vec<(&McpServer, &McpTool)> {
    let servers = servers(context).iter().filter(|server| left_out(server).is_none());
    let mut tools: Vec<_> = servers.flat_map(|server| server.tools.iter().map(move |tool| (server, tool))).collect();
    tools.sort_by(|(server, tool), (other, same)| {
        js::utf16_order(&server.name, &other.name)
            .then_with(|| js::utf16_order(&tool.name, &same.name))
            .then_with(|| tool.description.cmp(&same.description))
            .then_with(|| tool.input_schema.to_string().cmp(&same.input_schema.to_string()))
    });
    tools
}

fn servers(context: &Context) -> &[McpServer] {
    context.mcp_servers.as_deref().unwrap_or_default()
}

fn wire_name(server: &McpServer, tool: &McpTool) -> String {
    format!("mcp__{}__{}", server.name, tool.name)
}

/// Why a server's tools are not offered.
fn left_out(server: &McpServer) -> Option<(SkipReason, Text)> {
    if server.disabled {
        return Some((SkipReason::Disabled, text!("reason-server-off")));
    }
    match server.status.as_deref() {
        None | Some("connected") => None,
        Some(status) => Some((SkipReason::NothingToShow, text!("reason-server-status", status))),
    }
}

/// The tools as native schemas; none when the list goes elsewhere as text.
pub(crate) fn schemas(context: &Context) -> Vec<ToolSchema> {
    if !matches!(context.mcp_list, None | Some(McpList::Schemas)) {
        return Vec::new();
    }
    let of = |server: &McpServer, tool: &McpTool| ToolSchema {
        name: wire_name(server, tool),
        server: server.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
    };
    offered(context).into_iter().map(|(server, tool)| of(server, tool)).collect()
}

/// The tools as a list, without a heading or a final line end; `None` when there are none.
pub(crate) fn list(context: &Context) -> Option<String> {
    let lines: Vec<String> =
        offered(context).into_iter().map(|(server, tool)| line(&wire_name(server, tool), &tool.description)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The list when it stands in the system prompt.
pub(crate) fn system_list(context: &Context) -> Option<String> {
    list(context).filter(|_| context.mcp_list == Some(McpList::System))
}

fn line(name: &str, description: &str) -> String {
    let one_line =
        description.split(js::is_line_end).map(js::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if one_line.is_empty() { format!("- `{name}`") } else { format!("- `{name}`: {one_line}") }
}

/// Hash of the tools as they are sent, whichever way that is; `None` when there are none. The order in which servers
/// and tools came does not change it.
pub fn tool_block_hash(context: &Context) -> Option<ContentHash> {
    let text = match schemas(context) {
        schemas if schemas.is_empty() => list(context)?,
        schemas => serde_json::to_string(&schemas).unwrap_or_default(),
    };
    Some(ContentHash(*blake3::hash(text.as_bytes()).as_bytes()))
}

/// Tools that came in another order than the one they are written in.
pub(crate) fn unsorted(context: &Context) -> Option<Finding> {
    let written = offered(context);
    let servers = servers(context).iter().filter(|server| left_out(server).is_none());
    let came: Vec<_> = servers.flat_map(|server| server.tools.iter().map(move |tool| (server, tool))).collect();
    let first = came.iter().zip(&written).find(|(came, written)| came != written)?;
    let place = match context.mcp_list {
        Some(McpList::System) => text!("mcp-place-system"),
        None | Some(McpList::Schemas) => text!("mcp-place-schemas"),
        Some(_) => text!("mcp-place-message"),
    };
    let message = text!(
        "mcp-unsorted",
        came = wire_name(first.0.0, first.0.1),
        belongs = wire_name(first.1.0, first.1.1),
        place,
        hash = tool_block_hash(context)?.to_string()
    );
    Some(Finding::new("mcp-unsorted", Severity::Info, message))
}

/// The servers that are left out, each with its reason.
pub(crate) fn skipped(context: &Context) -> Vec<Skipped> {
    let skip = |server: &McpServer| {
        let (reason, detail) = left_out(server)?;
        let id = format!("mcp:{}", server.name);
        Some(Skipped { id, layer: Some(5), path: None, reason, detail, text: None, tokens: None })
    };
    servers(context).iter().filter_map(skip).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    #[test]
    fn order_of_connection_changes_nothing() {
        let context = |text: &str| Context::from_json(text).unwrap();
        let one = context(
            r#"{"mcp_servers": [{"name": "b", "tools": [{"name": "z"}, {"name": "m", "description": "two\nlines"}]}, {"name": "a", "tools": [{"name": "q"}]}]}"#,
        );
        let other = context(
            r#"{"mcp_servers": [{"name": "a", "tools": [{"name": "q"}]}, {"name": "c", "disabled": true, "tools": [{"name": "x"}]}, {"name": "b", "tools": [{"name": "m", "description": "two\nlines"}, {"name": "z"}]}]}"#,
        );
        let names: Vec<String> = schemas(&one).into_iter().map(|schema| schema.name).collect();
        assert_eq!(names, ["mcp__a__q", "mcp__b__m", "mcp__b__z"]);
        assert_eq!(schemas(&one), schemas(&other));
        assert_eq!(list(&one).unwrap(), "- `mcp__a__q`\n- `mcp__b__m`: two lines\n- `mcp__b__z`");
        let twice = context(
            r#"{"mcp_servers": [{"name": "a", "tools": [{"name": "t", "description": "2"}]}, {"name": "a", "tools": [{"name": "t", "description": "1"}]}]}"#,
        );
        assert_eq!(list(&twice).unwrap(), "- `mcp__a__t`: 1\n- `mcp__a__t`: 2", "equal names have an order, too");
        let skipped = skipped(&other);
        assert_eq!((skipped[0].id.as_str(), skipped[0].reason), ("mcp:c", SkipReason::Disabled));
    }
}
