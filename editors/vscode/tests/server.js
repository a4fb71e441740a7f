#!/usr/bin/env node
// A tool whose server says what it can do, and does nothing.

const rpc = require('vscode-languageserver-protocol/node');

if (process.argv.includes('--version')) {
  console.log('ptx 0.0.0');
} else {
  const connection = rpc.createProtocolConnection(process.stdin, process.stdout);
  const capabilities = { documentFormattingProvider: true, hoverProvider: true };
  connection.onRequest('initialize', ({ initializationOptions }) => {
    const message = `beside rust-analyzer: ${initializationOptions.rustAnalyzer}`;
    // The client shows messages once it is initialized.
    connection.onNotification('initialized', () => connection.sendNotification('window/logMessage', { type: 3, message }));
    return { capabilities };
  });
  connection.onRequest('shutdown', () => null);
  connection.onNotification('exit', () => process.exit(0));
  connection.listen();
}
