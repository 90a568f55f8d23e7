import type { Provider } from '../provider.ts'

/** What not every place can do, and by which verbs of its provider that is seen. The suite asks everything else of every place. */
export const capabilities = {
  /** Servers listen on a socket of this machine and nowhere else, and the superuser comes in by that alone. */
  sockets: [],
  /** The platform has the superuser's password; elsewhere it lies where the server is. */
  'known superuser': [],
  /** Each server has a port that no other has. */
  'own ports': [],
  /** A server that ended is told as stopped until it is started; others start again by themselves. */
  'dead until started': [],
  /** The programs of servers let customers have postgres_fdw. */
  wrappers: [],
  /** What servers write to their logs is handed over. */
  logs: ['onServerLog'],
  /** How much of the disk a server takes is known. */
  disks: ['diskUse', 'diskMark'],
  /** All servers are on one disk, of which it is known how much is left. */
  'one disk': ['diskSpace'],
  /** The server's own rules say from where people may come. */
  networks: ['setNetworks'],
  replicas: ['replicas'],
  backups: ['backups'],
} as const satisfies Record<string, readonly (keyof Provider)[]>

export type Capability = keyof typeof capabilities

/** What a place calls the two that are people, or stand for the platform itself. */
export type Names = { customer: string; admin: string }

export type Place = { without: readonly Capability[]; names: Names }

export const thisMachine: Place = {
  without: [],
  names: { customer: 'postgres', admin: 'supabase_admin' },
}
