import { chromium, type Browser } from 'playwright-core'

/** Chromium beside tests on a machine that may have no network and no display; root cannot have its sandbox. */
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['PLINTH_CHROMIUM']
  return chromium.launch({ args: flags, ...(executablePath ? { executablePath } : {}) })
}
