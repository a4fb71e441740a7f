// The extension in VS Code itself: code-server, which is VS Code in a browser, in Chromium. `npm run test:browser` packs the
// extension and runs this, which installs code-server and playwright-core in target/editors if they are not there. It needs
// the tool (`cargo build -p ptx-cli`, or another that PTX names), Chromium (that of Debian, or another that CHROMIUM names), and
// a compiler of C++.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// The last release of code-server for Node.js 20; it is VS Code 1.100.3.
const PACKAGES = ['code-server@4.100.3', 'playwright-core@1.65.1'];

const extension = fileURLToPath(new URL('..', import.meta.url));
const root = path.join(extension, '../..');
const { name, publisher, version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
const tool = process.env.PTX ?? path.join(root, 'target/debug/ptx');
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const packed = path.join(extension, `dist/${name}-${version}.vsix`);
for (const [file, how] of [
  [tool, 'cargo build -p ptx-cli'],
  [packed, 'npm run package'],
  [chromium, 'apt-get install chromium'],
]) {
  if (!fs.existsSync(file)) {
    console.log(`NOT RUN: VS Code in a browser: there is no ${file}; ${how}`);
    process.exit(process.env.PTX_CI_STRICT ? 1 : 0);
  }
}

// Its packages have scripts that download what only a terminal and a search need. None of them runs but that of the one package
// without which the server does not start.
function install() {
  const at = path.join(root, 'target/editors');
  const marker = path.join(at, PACKAGES.join(' ').replaceAll('/', '_'));
  if (!fs.existsSync(marker)) {
    fs.rmSync(at, { recursive: true, force: true });
    fs.mkdirSync(at, { recursive: true });
    fs.writeFileSync(path.join(at, 'package.json'), '{ "private": true }\n');
    // The headers of this Node.js, if it was installed with them; npm downloads them otherwise.
    const prefix = path.dirname(path.dirname(fs.realpathSync(process.execPath)));
    const hasHeaders = fs.existsSync(path.join(prefix, 'include/node/node.h'));
    const env = { ...process.env, ...(hasHeaders && { npm_config_nodedir: prefix }) };
    const npm = (folder, ...words) =>
      execFileSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, env, stdio: 'inherit' });
    const code = path.join(at, 'node_modules/code-server/lib/vscode');
    npm(at, 'install', '--ignore-scripts', ...PACKAGES);
    npm(at, 'rebuild', 'argon2');
    npm(code, 'install', '--omit=dev', '--ignore-scripts');
    npm(path.join(code, 'extensions'), 'install', '--omit=dev', '--ignore-scripts');
    fs.symlinkSync('node_modules', path.join(code, 'node_modules.asar'));
    fs.writeFileSync(marker, '');
  }
  return at;
}

const KERNEL = `.version 8.0
.target sm_90a
.address_size 64

.visible .entry kernel(
    .param .u64 out
)
{
    .reg .b32 %r<2>;
  .reg .b64 %rd<2>;

    ld.param.u64 %rd0, [out];
    ld.param.u64 %rd1, [aut];
    mov.u32 %r0, %tid.x;
    st.global.u32 [%rd0], %r0;
    ret;
}
`;
const RUST = fs
  .readFileSync(path.join(root, 'editors/tests/kernel.rs'), 'utf8')
  .replace('            mul.f32', '     mul.f32');

const packages = install();
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ptx-vscode-'));
const folder = path.join(scratch, 'kernels');
const user = path.join(scratch, 'data/User');
fs.mkdirSync(folder);
fs.mkdirSync(user, { recursive: true });
fs.writeFileSync(path.join(folder, 'kernel.ptx'), KERNEL);
fs.writeFileSync(path.join(folder, 'kernel.rs'), RUST);
fs.writeFileSync(
  path.join(user, 'settings.json'),
  JSON.stringify({
    'ptx.path': tool,
    'security.workspace.trust.enabled': false,
    'workbench.startupEditor': 'none',
    'workbench.colorTheme': 'Default Dark Modern',
    'editor.minimap.enabled': false,
    'editor.hover.delay': 100,
  }),
);

const port = await new Promise((resolve) => {
  const socket = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = socket.address();
    socket.close(() => resolve(port));
  });
});
const entry = path.join(packages, 'node_modules/code-server/out/node/entry.js');
const folders = ['--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', path.join(scratch, 'extensions')];
const environment = { ...process.env, HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_DATA_HOME: scratch };
delete environment.PORT;
execFileSync(process.execPath, [entry, ...folders, '--install-extension', packed], { env: environment, stdio: 'pipe' });
const log = fs.openSync(path.join(scratch, 'server.log'), 'w');
const server = spawn(
  process.execPath,
  [
    ...[entry, ...folders, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
    ...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', folder],
  ],
  { env: environment, stdio: ['ignore', log, log], detached: true },
);

let failed = false;
function check(what, isRight, shown) {
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${what}: ${`${shown}`.replaceAll(/\s+/g, ' ').slice(0, 160)}`);
  failed ||= !isRight;
}

const require = createRequire(path.join(packages, 'package.json'));
const browser = await require('playwright-core').chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(30_000);

// The editor's text, with its spaces as such.
const line = (text) => page.locator('.view-line', { hasText: text }).first();
const text = async (locator) => (await locator.innerText()).replaceAll('\u00a0', ' ');
// Waits until something is so, and returns whether it became so.
async function until(is, seconds = 20) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
    if (await is().catch(() => false)) {
      return true;
    }
    await page.waitForTimeout(100);
  }
  return false;
}
async function command(words) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${words}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: words }).first().click();
}
async function open(file) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: file }).first().dblclick();
  await page.locator('.tab.active', { hasText: file }).waitFor();
  await page.locator('.view-line').first().waitFor();
}
// Puts the cursor at a line and a column, both from 1.
async function go(content, at, after = 0) {
  const before = content.slice(0, content.indexOf(at) + after).split('\n');
  await page.keyboard.press('Control+g');
  await page.locator('.quick-input-widget input').first().fill(`:${before.length},${before.at(-1).length + 1}`);
  await page.keyboard.press('Enter');
}
const position = () => text(page.locator('.statusbar-item', { hasText: /^Ln \d/ }).first());
// The colour of these letters in the line that has others.
const colour = (within, token) =>
  line(within).evaluate(
    (element, token) => {
      const spans = [...element.querySelectorAll('span span')];
      const found = spans.find((span) => span.textContent.includes(token));
      return found ? getComputedStyle(found).color : `not in one of ${spans.map((it) => it.textContent).join(' ')}`;
    },
    token,
  );
const hovers = page.locator('.monaco-hover:not(.hidden) .hover-contents');
async function hover(content, at, expected) {
  await go(content, at, 1);
  let shown = '';
  const isShown = await until(async () => {
    await command('Show or Focus Hover');
    await page.waitForTimeout(500);
    shown = (await hovers.allInnerTexts()).join(' ').replaceAll('\u00a0', ' ');
    return shown.includes(expected);
  });
  await page.keyboard.press('Escape');
  check(`hover on ${at}`, isShown, shown);
}
async function completes(content, at, after, expected) {
  await go(content, at, after);
  let shown = [];
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  const isThere = await until(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Space');
    await page.waitForTimeout(700);
    shown = await rows.allInnerTexts();
    return shown.some((row) => row.includes(expected));
  });
  await page.keyboard.press('Escape');
  check(`completion of ${expected}`, isThere, shown.join(', '));
}
async function defines(content, at, declared) {
  await go(content, at, 2);
  await command('Go to Definition');
  const expected = content.slice(0, content.indexOf(declared)).split('\n').length;
  let shown = '';
  const isThere = await until(async () => (shown = await position()).startsWith(`Ln ${expected},`));
  check(`definition at ${at}`, isThere, shown);
}
async function formats(within, expected) {
  await command('Format Document');
  const isFormatted = await until(async () => expected.test(await text(line(within))));
  check('formatting', isFormatted, JSON.stringify(await text(line(within))));
}

try {
  const url = `http://127.0.0.1:${port}/?folder=${folder}`;
  let isUp = false;
  for (let n = 0; n < 120 && !isUp; n += 1) {
    isUp = await page.goto(url).then(() => true, () => false);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await page.locator('.monaco-workbench').waitFor({ timeout: 120_000 });
  check('VS Code', true, await page.title());

  await open('kernel.ptx');
  const problems = page.locator('.squiggly-error');
  check('findings', await until(async () => (await problems.count()) > 0, 60), `${await problems.count()} underlined`);
  await command('Problems: Focus on Problems View');
  const listed = page.locator('.markers-panel .monaco-list-row', { hasText: 'aut' });
  await until(async () => (await listed.count()) > 0);
  check('the list of problems', (await listed.count()) === 1, (await listed.allInnerTexts()).join());
  await page.locator('.view-lines').first().click();

  // A theme may have one colour for opcodes and special registers.
  const colours = [];
  for (const [within, token] of [['.visible', '.visible'], ['mov.u32', 'mov'], ['mov.u32', '%r0'], ['mov.u32', '%tid']]) {
    colours.push(await colour(within, token));
  }
  check('colours', new Set(colours).size >= 3, colours.join('; '));

  await hover(KERNEL, 'st.global', 'st');
  await completes(KERNEL, '%tid', 2, '%tid.x');
  await defines(KERNEL, '%rd0, [out]', '.reg .b64');
  await formats('.b64 %rd', /^ {4}\.reg/);
  await go(KERNEL, '[aut]', 2);
  await page.keyboard.press('Control+.');
  const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'out' }).first();
  check('a fix', await fix.waitFor().then(() => true), await text(fix));
  await page.keyboard.press('Enter');
  check('no findings after it', await until(async () => (await problems.count()) === 0), await text(line('%rd1,')));

  await open('kernel.rs');
  await line('ld.global').waitFor();
  await hover(RUST, 'ld.global', 'ld.global.f32');
  // The grammar's colours here are those of the server's words there.
  const body = [await colour('ld.global', 'ld'), await colour('ld.global', '%x'), await colour('pub fn', 'fn')];
  check('colours in a body', body[0] === colours[1] && body[1] === colours[2], body.join('; '));
  await completes(RUST, '%x, [%at]', 1, '%x');
  await defines(RUST, '%x, #', 'let %x');
  const errors = await page.locator('.squiggly-error').count();
  check('no findings in Rust', errors === 0, errors);
  await formats('mul.f32', /^ {12}mul/);
} catch (error) {
  check('the script', false, error.stack);
} finally {
  if (failed) {
    await page.screenshot({ path: path.join(scratch, 'failed.png') });
    console.log(`what it looked like: ${path.join(scratch, 'failed.png')}`);
  }
  await browser.close();
  process.kill(-server.pid);
  if (!failed) {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
process.exitCode = failed ? 1 : 0;
