import { diagnose } from './diagnose.ts'
import { isFit, linesOf } from './finding.ts'

const usage = [
  'usage: plinth doctor [--json]',
  'Looks at everything that the settings name, before it is started: settings, folders, ports, the database of the platform, the bucket,',
  'the cluster, names and certificates. One line for each: ok, warn or fail. Ends with 1 where something has to be done first.',
].join('\n')

/** What `plinth doctor` says, and the code that it ends with: 1 where something has to be done, 2 where it was not understood. */
export async function runDoctor(
  typed: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ text: string; code: number }> {
  // The command line hands its own word on.
  const words = typed[0] === 'doctor' ? typed.slice(1) : typed
  if (words.includes('--help') || words.includes('-h')) return { text: usage, code: 0 }
  if (words.some((word) => word !== '--json')) return { text: usage, code: 2 }
  const findings = await diagnose(environment)
  const ok = isFit(findings)
  const text = words.includes('--json')
    ? JSON.stringify({ ok, findings }, undefined, 2)
    : linesOf(findings).join('\n')
  return { text, code: ok ? 0 : 1 }
}
