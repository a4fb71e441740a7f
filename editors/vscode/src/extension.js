// The client of `ptx lsp`: starts the server, restarts it when its settings change, and says what to do without it.

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;
let output;
// One start or stop at a time, in the order in which they were asked for.
let pending = Promise.resolve();

exports.activate = (context) => {
  output = vscode.window.createOutputChannel('PTX');
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand('ptx.restart', restart),
    vscode.commands.registerCommand('ptx.showOutput', () => output.show()),
    // The server is told of the other settings.
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('ptx.path')) {
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
    advise(path);
    return;
  }
  client = new LanguageClient(
    'ptx',
    'PTX',
    { command: path, args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: [{ language: 'ptx' }],
      initializationOptions: settings,
      synchronize: { configurationSection: 'ptx' },
      outputChannel: output,
    },
  );
  // The client itself says why a server does not start.
  await client.start().catch((error) => output.appendLine(`${error}`));
}

// Nobody waits for an answer.
async function advise(path) {
  const choice = 'Open the settings';
  const answer = await vscode.window.showErrorMessage(
    `cannot run \`${path}\`; install the tool with \`cargo install ptx-cli\`, or write its path into the setting \`ptx.path\``,
    choice,
  );
  if (answer === choice) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'ptx.path');
  }
}
