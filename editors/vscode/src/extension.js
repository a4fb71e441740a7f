// The client of `ptx lsp`: starts the server, restarts it when its settings change, and says what to do without it.

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;
let output;
// Whether somebody was told what to do without the tool.
let advised = false;
// One start or stop at a time, in the order in which they were asked for.
let pending = Promise.resolve();

exports.activate = (context) => {
  output = vscode.window.createOutputChannel('PTX');
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('ptx.restart', restart),
    vscode.commands.registerCommand('ptx.showOutput', () => output.show()),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.languageId === 'ptx' && !client && !advised) {
        return restart();
      }
    }),
    // The server is told of the other settings.
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('ptx.path')) {
        return restart();
      }
    }),
  );
  let beside = hasRustAnalyzer();
  context.subscriptions.push(
    vscode.extensions.onDidChange(() => {
      if (beside !== hasRustAnalyzer()) {
        beside = hasRustAnalyzer();
        return restart();
      }
    }),
  );
  return restart();
};

exports.deactivate = () => next(stop);

function next(task) {
  pending = pending.then(task, task);
  return pending;
}

function restart() {
  return next(async () => {
    await stop();
    await start();
  });
}

async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.dispose();
  } catch (error) {
    // A server that has ended by itself cannot be asked to end.
    output.appendLine(`${error}`);
  }
}

async function start() {
  const settings = vscode.workspace.getConfiguration('ptx');
  const path = settings.get('path') || 'ptx';
  try {
    const { stdout } = await promisify(execFile)(path, ['--version']);
    output.appendLine(`${path} is ${stdout.trim()}`);
  } catch (error) {
    output.appendLine(`${error}`);
    // Who only has Rust files open may have no use for it.
    if (vscode.workspace.textDocuments.some((it) => it.languageId === 'ptx')) {
      advise(path);
    }
    return;
  }
  client = new LanguageClient(
    'ptx',
    'PTX',
    { command: path, args: ['lsp'], transport: TransportKind.stdio },
    {
      // Of Rust files, it serves what is in `ptx! { }`, besides rust-analyzer.
      documentSelector: [{ language: 'ptx' }, { language: 'rust', scheme: 'file' }],
      middleware: {
        // The editor takes the colours of one server alone; those of bodies come from the grammar.
        provideDocumentSemanticTokens: (document, token, next) =>
          document.languageId === 'rust' ? undefined : next(document, token),
      },
      // What names in bodies mean, one of the two says alone.
      initializationOptions: { ...settings, rustAnalyzer: hasRustAnalyzer() },
      synchronize: { configurationSection: 'ptx' },
      outputChannel: output,
    },
  );
  // The client itself says why a server does not start.
  await client.start().catch((error) => output.appendLine(`${error}`));
}

function hasRustAnalyzer() {
  return vscode.extensions.getExtension('rust-lang.rust-analyzer') !== undefined;
}

// Nobody waits for an answer.
async function advise(path) {
  advised = true;
  const choice = 'Open the settings';
  const answer = await vscode.window.showErrorMessage(
    `cannot run \`${path}\`; install the tool with \`cargo install ptx-cli\`, or write its path into the setting \`ptx.path\``,
    choice,
  );
  if (answer === choice) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'ptx.path');
  }
}
