import { connectionUri, nodeUri, type Server } from './connection-uri.ts'
import { envFile, guide, lines, type AppProject, type CodeFile, type Guide } from './guide.ts'
import { astro, nuxt, solid, sveltekit, vue } from './guides-others.ts'
import { react, refine, remix } from './guides-react.ts'

const url = 'NEXT_PUBLIC_PROJECT_URL'
const key = 'NEXT_PUBLIC_ANON_KEY'
const install = 'npm install @supabase/supabase-js @supabase/ssr'

const browserClient = lines(
  `import { createBrowserClient } from '@supabase/ssr'`,
  ``,
  `export const createClient = () =>`,
  `  createBrowserClient(`,
  `    process.env.${url}!,`,
  `    process.env.${key}!,`,
  `  )`,
)

const next: Guide<AppProject> = {
  id: 'nextjs',
  name: 'Next.js',
  variants: [
    {
      id: 'app',
      name: 'App Router',
      install,
      files: (project) => [
        envFile('.env.local', url, key, project),
        {
          name: 'lib/server.ts',
          language: 'js',
          code: lines(
            `import { createServerClient } from '@supabase/ssr'`,
            `import { cookies } from 'next/headers'`,
            ``,
            `export async function createClient() {`,
            `  const jar = await cookies()`,
            `  return createServerClient(`,
            `    process.env.${url}!,`,
            `    process.env.${key}!,`,
            `    {`,
            `      cookies: {`,
            `        getAll: () => jar.getAll(),`,
            `        setAll: (changed) => {`,
            `          try {`,
            `            for (const { name, value, options } of changed)`,
            `              jar.set(name, value, options)`,
            `          } catch {`,
            `            // A page cannot set cookies; the middleware does.`,
            `          }`,
            `        },`,
            `      },`,
            `    },`,
            `  )`,
            `}`,
          ),
        },
        { name: 'lib/browser.ts', language: 'js', code: browserClient },
        {
          name: 'middleware.ts',
          language: 'js',
          code: lines(
            `import { createServerClient } from '@supabase/ssr'`,
            `import { type NextRequest, NextResponse } from 'next/server'`,
            ``,
            `/** Keeps the session alive: its cookies are renewed here. */`,
            `export async function middleware(request: NextRequest) {`,
            `  const response = NextResponse.next({ request })`,
            `  const client = createServerClient(`,
            `    process.env.${url}!,`,
            `    process.env.${key}!,`,
            `    {`,
            `      cookies: {`,
            `        getAll: () => request.cookies.getAll(),`,
            `        setAll: (changed) => {`,
            `          for (const { name, value, options } of changed)`,
            `            response.cookies.set(name, value, options)`,
            `        },`,
            `      },`,
            `    },`,
            `  )`,
            `  await client.auth.getUser()`,
            `  return response`,
            `}`,
          ),
        },
        {
          name: 'app/page.tsx',
          language: 'js',
          code: lines(
            `import { createClient } from '@/lib/server'`,
            ``,
            `export default async function Page() {`,
            `  const client = await createClient()`,
            `  const { data, error } = await client.from('notes').select('id, title')`,
            `  if (error) return <p>{error.message}</p>`,
            `  return <ul>{data.map(({ id, title }) => <li key={id}>{title}</li>)}</ul>`,
            `}`,
          ),
        },
      ],
    },
    {
      id: 'pages',
      name: 'Pages Router',
      install,
      files: (project) => [
        envFile('.env.local', url, key, project),
        { name: 'lib/browser.ts', language: 'js', code: browserClient },
        {
          name: 'pages/index.tsx',
          language: 'js',
          code: lines(
            `import { useEffect, useState } from 'react'`,
            `import { createClient } from '@/lib/browser'`,
            ``,
            `type Note = { id: number; title: string }`,
            ``,
            `export default function Home() {`,
            `  const [notes, setNotes] = useState<Note[]>([])`,
            `  useEffect(() => {`,
            `    createClient()`,
            `      .from('notes')`,
            `      .select('id, title')`,
            `      .then(({ data }) => setNotes(data ?? []))`,
            `  }, [])`,
            `  return <ul>{notes.map(({ id, title }) => <li key={id}>{title}</li>)}</ul>`,
            `}`,
          ),
        },
      ],
    },
  ],
}

/** In the order in which they are offered (facts §10). */
export const appGuides: readonly Guide<AppProject>[] = [
  next,
  remix,
  react,
  nuxt,
  vue,
  sveltekit,
  solid,
  astro,
  refine,
]

const env = (uri: string): CodeFile => ({
  name: '.env',
  language: 'text',
  code: `DATABASE_URL=${uri}`,
})

/** Object-relational mappers: they speak to Postgres itself, so they take its connection string. */
export const ormGuides: readonly Guide<Server>[] = [
  guide('prisma', 'Prisma', {
    install: 'npm install -D prisma@6 && npm install @prisma/client@6',
    note: 'Then `npx prisma db pull` reads your tables, and `npx prisma generate` creates the client.',
    files: (server) => [
      env(connectionUri(server)),
      {
        name: 'prisma/schema.prisma',
        language: 'js',
        code: lines(
          `generator client {`,
          `  provider = "prisma-client-js"`,
          `}`,
          ``,
          `datasource db {`,
          `  provider = "postgresql"`,
          `  url      = env("DATABASE_URL")`,
          `}`,
        ),
      },
    ],
  }),
  guide('drizzle', 'Drizzle', {
    install: 'npm install drizzle-orm pg && npm install -D drizzle-kit',
    note: 'Then `npx drizzle-kit pull` reads your tables.',
    files: (server) => [
      env(nodeUri(server)),
      {
        name: 'drizzle.config.ts',
        language: 'js',
        code: lines(
          `import { defineConfig } from 'drizzle-kit'`,
          ``,
          `export default defineConfig({`,
          `  dialect: 'postgresql',`,
          `  out: './drizzle',`,
          `  schema: './src/schema.ts',`,
          `  schemaFilter: ['public'],`,
          `  dbCredentials: { url: process.env.DATABASE_URL! },`,
          `})`,
        ),
      },
      {
        name: 'src/schema.ts',
        language: 'js',
        code: lines(
          `import { bigint, pgTable, text } from 'drizzle-orm/pg-core'`,
          ``,
          `export const notes = pgTable('notes', {`,
          `  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),`,
          `  title: text().notNull(),`,
          `})`,
        ),
      },
      {
        name: 'src/index.ts',
        language: 'js',
        code: lines(
          `import { drizzle } from 'drizzle-orm/node-postgres'`,
          `import { notes } from './schema'`,
          ``,
          `const db = drizzle(process.env.DATABASE_URL!)`,
          `console.log(await db.select().from(notes))`,
        ),
      },
    ],
  }),
]
