// Starts `tilewright lsp` where a workspace has a folder with a ruleset, or where a ruleset in one
// file is open, and hands it the YAML files. Which of them belong to a ruleset is for the server to
// say: it has no answer about others.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

// the keys at the head of a ruleset in one file, as the server looks for them
const HEAD = [/^\ufeff?(["']?)id\1[ \t]*:/m, /^\ufeff?(["']?)kind\1[ \t]*:/m];

let client;

function isRuleset(document) {
  return document.languageId === "yaml" && HEAD.every((key) => key.test(document.getText()));
}

async function startIfRulesets() {
  const isOpen = vscode.workspace.textDocuments.some(isRuleset);
  if (isOpen || (await vscode.workspace.findFiles("**/module.yaml", undefined, 1)).length) {
    await start();
  }
}

async function start() {
  if (client || !vscode.workspace.isTrusted) return;
  const [command, ...args] = vscode.workspace
    .getConfiguration("tilewright")
    .get("command", ["tilewright", "lsp"]);
  // not in the folder of the workspace: its files would be found as programs and modules
  const options = { cwd: require("os").homedir() };
  const server = { command, args, options, transport: TransportKind.stdio };
  client = new LanguageClient("tilewright", "Tilewright", server, {
    documentSelector: [{ scheme: "file", language: "yaml" }],
    synchronize: { configurationSection: "tilewright" },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const settings = "Open settings";
    const choice = await vscode.window.showErrorMessage(
      `\`${command}\` cannot be started. Install it with \`pip install "tilewright[lsp]"\`, ` +
        "or say in the settings where it is.",
      settings,
    );
    if (choice === settings) {
      vscode.commands.executeCommand("workbench.action.openSettings", "tilewright.command");
    }
  }
}

async function stop() {
  const ending = client;
  client = undefined;
  if (ending) await ending.stop().catch(() => {});
}

async function restart() {
  await stop();
  await start();
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tilewright.restart", restart),
    vscode.workspace.onDidGrantWorkspaceTrust(startIfRulesets),
    vscode.workspace.onDidOpenTextDocument((document) => isRuleset(document) && start()),
    vscode.workspace.onDidSaveTextDocument((document) => isRuleset(document) && start()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("tilewright.command")) return stop().then(startIfRulesets);
    }),
  );
  return startIfRulesets();
}

module.exports = { activate, deactivate: stop };
