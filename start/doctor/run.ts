import { diagnose } from './diagnose.ts'
import { isFit, linesOf } from './finding.ts'

const usage = [
  'usage: plinth doctor [--json]',
  'Checks the settings and everything that they name before the first start: folders, ports, the platform database, the bucket, the',
  'cluster, DNS names and certificates. Prints one line for each: ok, warn or fail. Exits with 1 if something must be fixed first.',
].join('\n')

/** What `plinth doctor` prints, and its exit code: 1 if something must be fixed, 2 for wrong usage. */
export async function runDoctor(
  typed: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ text: string; code: number }> {
  // The command line passes its own name on.
  const given = typed[0] === 'doctor' ? typed.slice(1) : typed
  if (given.includes('--help') || given.includes('-h')) return { text: usage, code: 0 }
  if (given.some((one) => one !== '--json')) return { text: usage, code: 2 }
  const findings = await diagnose(environment)
  const ok = isFit(findings)
  const text = given.includes('--json')
    ? JSON.stringify({ ok, findings }, undefined, 2)
    : linesOf(findings).join('\n')
  return { text, code: ok ? 0 : 1 }
}
