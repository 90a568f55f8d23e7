import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { diagnose } from '../../doctor/diagnose.ts'

/** A folder of the test, with what it finds in it when it looks. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    write(name: string, text: string): string {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
  }
}

/** Everything below a folder, by name and content: the same as before means that nothing stays. */
export const everythingIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
        .toSorted()
    : []

/** Settings of an installation that is nowhere yet, at ports that are free. */
export function settingsWith(more: Record<string, string> = {}): Record<string, string> {
  const { folder } = newFolder()
  return { PLINTH_HOME: join(folder, 'home'), PORT: '0', PROJECT_PORT: '0', ...more }
}

/** What a doctor says of one part of an installation with these settings: state, words, what to do. */
export async function saidOf(about: string, more: Record<string, string>): Promise<string[]> {
  const findings = await diagnose(settingsWith(more))
  return findings
    .filter((one) => one.about === about)
    .map(({ state, says, todo }) => `${state} ${says}${todo === undefined ? '' : ` -> ${todo}`}`)
}
