import type { Client } from 'pg'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import { isScramVerifier, scramVerifier } from './scram.ts'

/**
 * Gives roles their passwords, all or none. The server only ever sees verifiers, so no password can reach its log;
 * a text that is a verifier already is used as it is.
 */
export async function setPasswords(client: Client, passwords: Map<string, string>): Promise<void> {
  const verifiers = new Map<string, Promise<string>>()
  for (const password of passwords.values()) {
    const known = isScramVerifier(password) || verifiers.has(password)
    if (!known) verifiers.set(password, scramVerifier(password))
  }
  const statements = await Promise.all(
    [...passwords].map(async ([role, password]) => {
      const verifier = (await verifiers.get(password)) ?? password
      return ['alter role', quoteIdent(role), 'password', quoteLiteral(verifier)].join(' ')
    }),
  )
  await client.query(statements.join(';\n'))
}
