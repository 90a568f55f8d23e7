import type { BrowserContext, Page } from 'playwright-core'
import { newTablesGranted } from '#kit/testing/new-tables'
import { openContext, pageIn, type Eyes, type Opened } from './browser.ts'
import {
  createOrganization,
  createProject,
  reaches,
  runSql,
  type Account,
  type Project,
} from './client.ts'
import { atEnd } from './ends.ts'
import { newPerson } from './people.ts'
import type { Place } from './platform.ts'
import { sharedPlatform } from './shared-platform.ts'

export type Workbench = {
  platform: Place
  context: BrowserContext
  page: Page
  eyes: Eyes
  ada: Account
  /** Of Acme, the organization. */
  slug: string
  project: Project
  ref: string
  /** Another page of the same browser session; the journey goes on with it. */
  newPage(): Promise<Opened>
  /** Runs SQL in the project as its owner. */
  sql(query: string): Promise<unknown>
  /** Goes to an address below the project's. */
  go(below: string): Promise<unknown>
}

type Options = {
  name: string
  /** Runs before anybody looks. */
  sql?: string
  clipboard?: boolean
  /** For a journey that stops, configures or kills it: a platform of its own. */
  platform?: Place
  /** What a new project has is private; most journeys are about something else. */
  newTables?: 'private' | 'granted'
  /** Of the organization; some roles come with some plans only. */
  tier?: string
  /** Of the project. */
  size?: string
}

/** A person with an organization, Acme, and a project with some tables, and a browser in which they are signed in. */
export async function openWorkbench(options: Options): Promise<Workbench> {
  const { platform = sharedPlatform(), newTables = 'granted', tier, size } = options
  const ada = await newPerson(platform)
  const slug = await createOrganization(ada, 'Acme', tier)
  // With a platform of its own it ends when that does.
  const open = options.platform ? startProject : openProject
  const project = await open(ada, slug, options.name, size)
  const { ref } = project
  if (newTables === 'granted') await runSql(ada, ref, newTablesGranted)
  if (options.sql) await runSql(ada, ref, options.sql)
  const context = await openContext(platform, { as: ada, clipboard: options.clipboard ?? false })
  const newPage = () => pageIn(context)
  const bench: Workbench = {
    platform,
    context,
    ...(await newPage()),
    ada,
    slug,
    project,
    ref,
    async newPage() {
      const opened = await newPage()
      Object.assign(bench, opened)
      return opened
    },
    sql: (query) => runSql(ada, ref, query),
    go: (below) => bench.page.goto(`${platform.url}/project/${ref}/${below}`),
  }
  return bench
}

/** A project that runs, and is deleted when the journey ends: its server would run on beside all that follow. */
export const openProject: typeof startProject = async (person, ...rest) => {
  const project = await startProject(person, ...rest)
  atEnd(() => person.call('DELETE', `/platform/projects/${project.ref}`))
  return project
}

async function startProject(
  person: Account,
  slug: string,
  name: string,
  size?: string,
): Promise<Project> {
  const project = await createProject(person, slug, name, size)
  await reaches(person, project.ref, ['ACTIVE_HEALTHY'])
  return project
}
