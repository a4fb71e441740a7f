// The client without an editor: `vscode` is a stand-in that has every class and records what the client does.

const assert = require('node:assert');
const Module = require('node:module');
const path = require('node:path');
const { test } = require('node:test');
const { contributes } = require('../package.json');

const messages = [];
const lines = [];
const providers = {};
const settings = {};
const documents = [];
const installed = [];
// Whatever else is asked for: a function, a class, a namespace.
const anything = new Proxy(class {}, {
  get: (target, name) => (name === 'prototype' ? target.prototype : name === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
  construct: (target, _, derived) => Reflect.construct(target, [], derived),
});
const backed = (own) => new Proxy(own, { get: (target, name) => (name in target ? target[name] : anything) });
const disposable = { dispose() {} };
const write = (line) => void lines.push(line);
const provider = (name) => (selector) => {
  providers[name] = selector.map((it) => it.language);
  return disposable;
};
const vscode = backed({
  version: '1.82.0',
  EventEmitter: class {
    event = () => disposable;
    fire() {}
    dispose() {}
  },
  window: backed({
    createOutputChannel: () => ({ append: write, appendLine: write, show() {}, ...disposable }),
    showErrorMessage: async (message) => void messages.push(message),
  }),
  commands: backed({ registerCommand: (name) => ({ name, ...disposable }) }),
  extensions: backed({
    getExtension: (id) => (installed.includes(id) ? {} : undefined),
    onDidChange: () => disposable,
  }),
  languages: backed({
    registerDocumentFormattingEditProvider: provider('formatting'),
    registerHoverProvider: provider('hover'),
  }),
  workspace: backed({
    getConfiguration: () => ({ get: (name) => settings[name], inspect() {} }),
    textDocuments: documents,
    notebookDocuments: [],
    workspaceFolders: undefined,
  }),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const extension = require('../src/extension.js');

async function run() {
  messages.length = 0;
  lines.length = 0;
  const context = { subscriptions: [] };
  await extension.activate(context);
  await extension.deactivate();
  return context;
}

test('who has no PTX file open is not told that the tool is missing', async () => {
  settings.path = path.join(__dirname, 'missing');
  documents.push({ languageId: 'rust' });
  await run();
  assert.deepStrictEqual(messages, []);
  assert.match(lines.join(), /ENOENT/);
});

test('a tool that is missing is named, with what to do', async () => {
  settings.path = path.join(__dirname, 'missing');
  documents.push({ languageId: 'ptx' });
  const { subscriptions } = await run();
  assert.strictEqual(messages.length, 1);
  assert.ok(messages[0].startsWith(`cannot run \`${settings.path}\`; install the tool`), messages[0]);
  assert.match(lines.join(), /ENOENT/);
  const commands = subscriptions.map((it) => it.name).filter((name) => contributes.commands.some((it) => it.command === name));
  assert.strictEqual(commands.length, contributes.commands.length);
});

test('the server is started, and asked for what it can do', async () => {
  documents.length = 0;
  settings.path = path.join(__dirname, 'server.js');
  await run();
  assert.deepStrictEqual(messages, []);
  assert.ok(lines[0].endsWith('is ptx 0.0.0'), lines.join('\n'));
  assert.deepStrictEqual(providers, { hover: ['ptx', 'rust'], formatting: ['ptx', 'rust'] });
});

test('the server is told whether rust-analyzer serves the same files', async () => {
  documents.length = 0;
  settings.path = path.join(__dirname, 'server.js');
  for (const isThere of [false, true]) {
    installed.length = 0;
    installed.push(...(isThere ? ['rust-lang.rust-analyzer'] : []));
    await run();
    assert.match(lines.join('\n'), new RegExp(`beside rust-analyzer: ${isThere}`));
  }
});
