import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { startDataPlane, type TestDataPlane } from '../data-plane.ts'

export const ada = '11111111-1111-4111-8111-111111111111'
export const bob = '22222222-2222-4222-8222-222222222222'

/** Two users who each have a folder of their own in the bucket `own`, and a public bucket that anybody may look into. */
const setup = `
  insert into storage.buckets (id, name, public) values ('own', 'own', false), ('open', 'open', true);
  insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values ('small', 'small', false, 1000, '{image/*,text/plain}');
  create policy own on storage.objects for all to authenticated
    using (bucket_id = 'own' and (storage.foldername(name))[1] = auth.uid()::text)
    with check (bucket_id = 'own' and (storage.foldername(name))[1] = auth.uid()::text);
  create policy drop_in on storage.objects for insert to anon
    with check (bucket_id = 'open' and storage.allow_only_operation('object.upload'));
`

export type StoragePlane = TestDataPlane & Awaited<ReturnType<typeof clientsOf>>

export async function startStorage(
  more: Parameters<typeof startDataPlane>[3] = {},
): Promise<StoragePlane> {
  const plane = await startDataPlane(setup, {}, undefined, more)
  return { ...plane, ...clientsOf(plane) }
}

function clientsOf({ url, project, token, sql }: TestDataPlane) {
  const client = (key: string, bearer?: string) =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      // The types of ws and of the DOM differ in parts that are not used here.
      realtime: { transport: WebSocket as never },
      ...(bearer ? { accessToken: () => Promise.resolve(bearer) } : {}),
    }).storage
  const tokenOf = (sub: string) => token({ role: 'authenticated', sub })
  return {
    anon: client(project.anonKey),
    service: client(project.serviceKey),
    ada: client(project.anonKey, tokenOf(ada)),
    bob: client(project.anonKey, tokenOf(bob)),
    /** What the dashboard asks, as the control plane does it for a person: status and answer. */
    own: async (method: string, path: string, body?: object) => {
      const response = await fetch(
        `${new URL(url).origin}/internal/storage/${project.ref}${path}`,
        {
          method,
          headers: {
            authorization: 'Bearer a token that only our own programs know',
            'x-acting-as': encodeURIComponent('zoë@example.com'),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        },
      )
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    /** Keys and who deleted them, by name. */
    trashed: async () => {
      const rows = await sql('select name, deleted_by from storage.trash order by name')
      return Object.fromEntries(rows.map((row) => [String(row['name']), row['deleted_by']]))
    },
    /** Raw HTTP below /storage/v1, as the service role unless told. */
    ask: (path: string, options: RequestInit & { as?: string } = {}) => {
      const { as = project.serviceKey, headers, ...rest } = options
      const authorization: Record<string, string> =
        as === '' ? {} : { authorization: `Bearer ${as}` }
      return fetch(`${url}/storage/v1${path}`, {
        ...rest,
        headers: { ...authorization, ...(headers as Record<string, string> | undefined) },
      })
    },
  }
}

/** Status of HTTP and what the body says. */
export async function problemOf(response: Response): Promise<[number, string, string]> {
  const { statusCode, code } = (await response.json()) as { statusCode: string; code: string }
  return [response.status, statusCode, code]
}
