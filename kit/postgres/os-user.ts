import { readFile } from 'node:fs/promises'

/** Numeric owner of processes and files. */
export type OsUser = { uid: number; gid: number }

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * An account without rights that exists in the user database: initdb refuses to run as root and wants a name for
 * its uid. A running server needs no name, so clusters afterwards belong to numbers of their own.
 */
export async function namedUnprivilegedUser(): Promise<OsUser> {
  const accounts = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
  const ordinary = accounts.filter((fields) => Number(fields[2]) > 0)
  const chosen = ordinary.find(([name]) => name === 'nobody') ?? ordinary[0]
  if (!chosen) throw new Error('No unprivileged account exists in /etc/passwd; initdb needs one')
  return { uid: Number(chosen[2]), gid: Number(chosen[3]) }
}
