import { manage } from './manage/manage-run.ts'
import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** The program that opens an address; undefined where there is no desktop to show it on. */
function opener(environment: Environment): string | undefined {
  if (process.platform === 'darwin') return 'open'
  if (process.platform === 'win32') return 'explorer.exe'
  const hasDesktop = Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY'])
  return hasDesktop ? 'xdg-open' : undefined
}

/** Opens an address in the person's browser, if there is one. Whether it worked is theirs to see: the address is printed too. */
const browser = (environment: Environment) => (url: string) => {
  const program = opener(environment)
  if (program === undefined) return
  const child = spawn(program, [url], { stdio: 'ignore', detached: true })
  // Without that program the printed address remains.
  child.on('error', () => undefined)
  child.unref()
}

// Who reads only the beginning, as head does, has what they want.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

/** `plinth projects list` and its siblings: what the Management API does, typed. */
process.exitCode = await manage(process.argv.slice(2), {
  environment: process.env,
  say: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  browse: browser(process.env),
  isColoured: process.stdout.isTTY && !process.env['NO_COLOR'],
  interrupted() {
    const interruption = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => interruption.abort())
    return interruption.signal
  },
})
