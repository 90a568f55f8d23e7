import type { Provider } from '#compute/provider'

/** What a provider does for backups, where it can. */
export type Keeping = NonNullable<Provider['backups']>
export type ArchiveWindow = Awaited<ReturnType<Keeping['windows']>>[number]
export type Copied = Awaited<ReturnType<Keeping['make']>>
export type Readback = Awaited<ReturnType<Keeping['check']>>
export type RestorePoint = Parameters<Keeping['restore']>[1]
