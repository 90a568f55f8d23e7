import { type AppProject, envFile, guide, type Guide, lines } from './guide.ts'

const install = 'npm install @supabase/supabase-js'

/** The client of an app whose bundler puts the values in; `from` is how it names the environment. */
export const clientFile = (name: string, from: string, url: string, key: string) => ({
  name,
  language: 'js' as const,
  code: lines(
    `import { createClient } from '@supabase/supabase-js'`,
    ``,
    `export const client = createClient(`,
    `  ${from}.${url},`,
    `  ${from}.${key},`,
    `)`,
  ),
})

/** A React component with the rows of a table. */
const notesComponent = (name: string, from: string) => ({
  name,
  language: 'js' as const,
  code: lines(
    `import { useEffect, useState } from 'react'`,
    `import { client } from '${from}'`,
    ``,
    `export default function App() {`,
    `  const [notes, setNotes] = useState([])`,
    `  useEffect(() => {`,
    `    client`,
    `      .from('notes')`,
    `      .select('id, title')`,
    `      .then(({ data }) => setNotes(data ?? []))`,
    `  }, [])`,
    `  return <ul>{notes.map(({ id, title }) => <li key={id}>{title}</li>)}</ul>`,
    `}`,
  ),
})

export const remix: Guide<AppProject> = guide('remix', 'Remix', {
  install: 'npm install @supabase/supabase-js @supabase/ssr',
  files: (project) => [
    envFile('.env', 'PROJECT_URL', 'ANON_KEY', project),
    {
      name: 'app/client.server.ts',
      language: 'js',
      code: lines(
        `import {`,
        `  createServerClient,`,
        `  parseCookieHeader,`,
        `  serializeCookieHeader,`,
        `} from '@supabase/ssr'`,
        ``,
        `/** The client of one request; send \`headers\` along with the response. */`,
        `export function clientOf(request: Request) {`,
        `  const headers = new Headers()`,
        `  const client = createServerClient(`,
        `    process.env.PROJECT_URL!,`,
        `    process.env.ANON_KEY!,`,
        `    {`,
        `      cookies: {`,
        `        getAll: () =>`,
        `          parseCookieHeader(request.headers.get('cookie') ?? '').map(`,
        `            ({ name, value }) => ({ name, value: value ?? '' }),`,
        `          ),`,
        `        setAll: (changed) => {`,
        `          for (const { name, value, options } of changed)`,
        `            headers.append('set-cookie', serializeCookieHeader(name, value, options))`,
        `        },`,
        `      },`,
        `    },`,
        `  )`,
        `  return { client, headers }`,
        `}`,
      ),
    },
    {
      name: 'app/routes/_index.tsx',
      language: 'js',
      code: lines(
        `import { useLoaderData } from '@remix-run/react'`,
        `import type { LoaderFunctionArgs } from '@remix-run/node'`,
        `import { clientOf } from '../client.server'`,
        ``,
        `export async function loader({ request }: LoaderFunctionArgs) {`,
        `  const { client, headers } = clientOf(request)`,
        `  const { data } = await client.from('notes').select('id, title')`,
        `  return Response.json(data ?? [], { headers })`,
        `}`,
        ``,
        `export default function Index() {`,
        `  const notes = useLoaderData<{ id: number; title: string }[]>()`,
        `  return <ul>{notes.map(({ id, title }) => <li key={id}>{title}</li>)}</ul>`,
        `}`,
      ),
    },
  ],
})

export const react: Guide<AppProject> = {
  id: 'react',
  name: 'React',
  variants: [
    {
      id: 'create-react-app',
      name: 'Create React App',
      install,
      files: (project) => [
        envFile('.env.local', 'REACT_APP_PROJECT_URL', 'REACT_APP_ANON_KEY', project),
        clientFile('src/client.js', 'process.env', 'REACT_APP_PROJECT_URL', 'REACT_APP_ANON_KEY'),
        notesComponent('src/App.js', './client'),
      ],
    },
    {
      id: 'vite',
      name: 'Vite',
      install,
      files: (project) => [
        envFile('.env.local', 'VITE_PROJECT_URL', 'VITE_ANON_KEY', project),
        clientFile('src/client.js', 'import.meta.env', 'VITE_PROJECT_URL', 'VITE_ANON_KEY'),
        notesComponent('src/App.jsx', './client.js'),
      ],
    },
  ],
}

export const refine: Guide<AppProject> = guide('refine', 'refine', {
  install: 'npm install @refinedev/core @refinedev/supabase',
  files: (project) => [
    envFile('.env.local', 'VITE_PROJECT_URL', 'VITE_ANON_KEY', project),
    {
      name: 'src/client.ts',
      language: 'js',
      code: lines(
        `import { createClient } from '@refinedev/supabase'`,
        ``,
        `export const client = createClient(`,
        `  import.meta.env.VITE_PROJECT_URL,`,
        `  import.meta.env.VITE_ANON_KEY,`,
        `)`,
      ),
    },
    {
      name: 'src/App.tsx',
      language: 'js',
      code: lines(
        `import { Refine, useList } from '@refinedev/core'`,
        `import { dataProvider } from '@refinedev/supabase'`,
        `import { client } from './client'`,
        ``,
        `function Notes() {`,
        `  const { result } = useList({ resource: 'notes' })`,
        `  return <ul>{result.data.map(({ id, title }) => <li key={id}>{title}</li>)}</ul>`,
        `}`,
        ``,
        `export default function App() {`,
        `  return (`,
        `    <Refine dataProvider={dataProvider(client)} resources={[{ name: 'notes' }]}>`,
        `      <Notes />`,
        `    </Refine>`,
        `  )`,
        `}`,
      ),
    },
  ],
})
