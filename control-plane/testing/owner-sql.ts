import { internalToken } from './control-plane.ts'

/** Runs SQL as the owner of a project's database, by its data plane. Rejects with what the database says. */
export async function runAsOwner(
  dataPlaneUrl: string,
  ref: string,
  query: string,
): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${ref}/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${internalToken}`,
      'content-type': 'application/json',
      'x-plinth-login': 'postgres',
    },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  // What a query answers is for the test to say.
  return JSON.parse(text) as Record<string, unknown>[]
}
