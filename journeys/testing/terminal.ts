import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from '#kit/root'

/** The public command line client; the package manager brings it where there is one for the machine. */
const program = join(root, 'node_modules/@supabase/cli-linux-x64/bin/supabase')
export const hasCommandLine = existsSync(program)

type Answer = { code: number; out: string; all: string }
export type Terminal = {
  /** The folder that its commands are run in. */
  folder: string
  /** `run('projects list')`, the way somebody types it; `--yes` answers what it would ask. */
  run(command: string, more?: string[], asWho?: string): Promise<Answer>
  /** The same for one that has to succeed: what it printed. */
  runs(command: string, more?: string[]): Promise<string>
  close(): Promise<void>
}

/** A terminal of somebody with a token of the platform at `url`. */
export async function openTerminal(url: string, token: string): Promise<Terminal> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-terminal-'))
  const folder = join(home, 'work')
  await mkdir(folder)
  const profile = { name: 'plinth', api_url: url, dashboard_url: url, project_host: 'localhost' }
  // JSON is YAML too.
  await writeFile(join(home, 'profile.yaml'), JSON.stringify(profile))

  const run: Terminal['run'] = (command, more = [], asWho = token) =>
    new Promise((resolve) => {
      const args = ['--profile', join(home, 'profile.yaml'), ...command.split(' '), ...more]
      const options = {
        cwd: folder,
        timeout: 60_000,
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          SUPABASE_ACCESS_TOKEN: asWho,
          SUPABASE_TELEMETRY_DISABLED: '1',
          DO_NOT_TRACK: '1',
          CI: '1',
        },
      }
      const child = execFile(program, args, options, (error, out, err) => {
        const code = error ? Number(error.code ?? 1) : 0
        resolve({ code, out, all: `${out}\n${err}` })
      })
      // Some words read what is piped into them, and would wait for its end.
      child.stdin?.end()
    })
  return {
    folder,
    run,
    async runs(command, more) {
      const { code, out, all } = await run(command, more)
      expect(code, all).toBe(0)
      return out
    },
    close: () => rm(home, { recursive: true, force: true }),
  }
}
