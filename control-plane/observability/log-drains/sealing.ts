import type { Secrets } from '#kit/secrets'
import type { ParsedConfig } from './config.ts'
import type { DrainRow } from './store.ts'

/** Secrets of drains as they are kept. What was sealed for one drain does not open for another. */
export const createSealing = (secrets: Secrets) => {
  const identity = (token: string) => `log drain ${token}`
  return {
    seal: (token: string, { secrets: values }: ParsedConfig): string | null =>
      Object.keys(values).length === 0
        ? null
        : secrets.seal(JSON.stringify(values), identity(token)),

    /** @throws Error when it was sealed by another master key */
    open: ({
      token,
      config,
      sealed_secrets: sealed,
    }: Pick<DrainRow, 'token' | 'config' | 'sealed_secrets'>): ParsedConfig => ({
      open: config,
      secrets:
        sealed === null
          ? {}
          : // As `seal` has written it.
            (JSON.parse(secrets.open(sealed, identity(token))) as Record<string, unknown>),
    }),
  }
}
export type Sealing = ReturnType<typeof createSealing>
