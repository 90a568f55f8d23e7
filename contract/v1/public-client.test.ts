import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/root'
import { api } from '../api.ts'

/** The public command line client, which carries a list of all that the hosted service answers. */
const program = join(root, 'node_modules/@supabase/cli-linux-x64/bin/supabase')
/** Where apps are let in: protocol routes, which are no endpoints of the contract. */
const protocol = new Set([
  'GET /v1/oauth/authorize',
  'POST /v1/oauth/token',
  'POST /v1/oauth/revoke',
])

const plain = (request: string) => request.replaceAll(/:\w+|\{\w+\}/g, '{}')

test.runIf(existsSync(program))(
  'every address that the public command line client knows is one of the contract',
  { timeout: 60_000 },
  () => {
    const entry =
      /id:"v[12]\w+",description:(?:"[^"]*"|`[^`]*`),method:"([A-Z]+)",path:"(\/v[12]\/[^"]+)"/g
    const text = readFileSync(program, 'latin1')
    const known = new Set(
      [...text.matchAll(entry)].map(([, method = '', path = '']) =>
        // A server answers HEAD wherever it answers GET.
        plain(`${method === 'HEAD' ? 'GET' : method} ${path}`),
      ),
    )
    expect(known.size).toBeGreaterThan(150)
    const ours = new Set(
      Object.values(api)
        .flatMap((feature) => Object.values(feature))
        .map(({ method, path }) => plain(`${method} ${path}`)),
    )
    const missing = [...known].filter((one) => !ours.has(one) && !protocol.has(one))
    expect(missing.toSorted()).toEqual([])
  },
)
