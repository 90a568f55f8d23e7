import type { Extension } from '#contract/database/database-object-shapes'
import type { Wrapper } from '#contract/database/database-server'

export type WrapperState =
  /** Servers of it can be made. */
  | { kind: 'ready' }
  /** Its extension can be enabled by the reader. */
  | { kind: 'enable'; extension: Extension }
  /** There, but only the operator can enable it or allow its use. */
  | { kind: 'operator'; because: string }
  | { kind: 'absent' }

/** Whether a wrapper can be used here, and if not, what is missing. */
export function wrapperState(
  name: string,
  wrappers: readonly Wrapper[],
  extensions: readonly Extension[],
): WrapperState {
  const there = wrappers.find((wrapper) => wrapper.name === name)
  if (there?.may_use) return { kind: 'ready' }
  if (there)
    return {
      kind: 'operator',
      because: `It is enabled, but ${there.owner} has not granted its use`,
    }
  const extension = extensions.find((one) => one.name === name)
  if (!extension) return { kind: 'absent' }
  return extension.may_enable
    ? { kind: 'enable', extension }
    : {
        kind: 'operator',
        because:
          'This server has it, but it reaches beyond the database: only the operator of the server can enable it',
      }
}
