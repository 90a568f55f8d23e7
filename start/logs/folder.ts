import { join } from 'node:path'

/** Where the launcher keeps what the programs of an installation write; the logs of projects lie elsewhere. */
export const programLogs = (home: string): string => join(home, 'platform-logs')
