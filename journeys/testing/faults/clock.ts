import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Loaded before a program of the platform: its clock is as far off as the file says. What measures time that passes is not. */
const shifted = (file: string) => `
import { readFileSync } from 'node:fs'
const { now } = Date
const shown = () => now() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'))
globalThis.Date = new Proxy(Date, {
  construct: (of, args, self) => Reflect.construct(of, args.length > 0 ? args : [shown()], self),
  apply: (of) => new of(shown()).toString(),
  get: (of, name) => (name === 'now' ? shown : Reflect.get(of, name)),
})
`

/**
 * A clock of the platform's programs that jumps. The databases and the test itself keep the machine's, so this is also what
 * two machines see whose clocks do not agree.
 */
export function jumpingClock() {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-clock-'))
  const [offset, program] = [join(folder, 'offset'), join(folder, 'clock.mjs')]
  // In one step, for all programs look at it all the time.
  const jump = (hours: number) => {
    writeFileSync(`${offset}.new`, String(hours * 3_600_000))
    renameSync(`${offset}.new`, offset)
  }
  jump(0)
  writeFileSync(program, shifted(offset))
  return {
    environment: { NODE_OPTIONS: `--import=${program}` },
    /** So many hours from the machine's clock. */
    jump,
    remove: () => rmSync(folder, { recursive: true }),
  }
}
