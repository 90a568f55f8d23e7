import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['PLINTH_FAILPOINTS']

/**
 * Named places where a test may end this process as a power cut would: a file of that name in the folder
 * PLINTH_FAILPOINTS does it, once. Outside the fault tests there is no such folder and this does nothing.
 */
export function failpoint(name: string): void {
  if (folder === undefined) return
  const file = join(folder, name.replaceAll(/[^\w.-]/g, '_'))
  if (!existsSync(file)) return
  rmSync(file)
  process.kill(process.pid, 'SIGKILL')
}
