import { useDeferredValue } from 'react'
import { assistant } from '#contract/assistant/assistant'
import { authUsers } from '#contract/auth/auth-users'
import { pgMeta } from '#contract/database/pg-meta'
import { snippets } from '#contract/database/snippets'
import { qualified } from '#contract/ddl/sql-text'
import { storage } from '#contract/storage/storage'
import { v1Functions } from '#contract/v1/v1-functions'
import { q } from '../../../api/client.ts'
import { setAssistantOpen } from '../../../modules/assistant/assistant.ts'
import { useOpenSql } from '../../../modules/sql/saved-query.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import { projectQuery } from '../../../session/project/project.ts'
import type { Where } from '../../../session/project/where.ts'
import { useCommands, type Command } from '../../../ui/floats/commands.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  Archive,
  FileCode2,
  FolderOpen,
  Sparkles,
  Table2,
  TextSearch,
  UserRound,
  Zap,
} from 'lucide-react'
import { allProjectsQuery } from '../../../session/project/project-lists.ts'
import { searchedName } from './search-words.ts'

const max = 10

/** Projects to go to, of all organizations: those of the one that is open come first. */
function useFoundProjects(
  slug: string | undefined,
  search: string,
  goTo: (to: string) => () => void,
): Command[] {
  const { data } = useInfiniteQuery(allProjectsQuery(searchedName(search)))
  const all = data?.pages[0]?.projects ?? []
  const [here, elsewhere] = [true, false].map((requested) =>
    all.filter(({ organization_slug: of }) => (of === slug) === requested),
  )
  return [...(here ?? []), ...(elsewhere ?? [])]
    .slice(0, max)
    .map(({ ref, name, organization_slug: of }) => ({
      id: `project.${ref}`,
      section: 'Projects',
      name: `Switch to ${name}`,
      icon: FolderOpen,
      ...(of === slug ? {} : { hint: of }),
      run: goTo(`/project/${ref}`),
    }))
}

type Props = { where: Where; typed: string; goTo: (to: string) => () => void }

/** What people have made, found by the servers while somebody types in the command menu. Mounted while that is open. */
export function FoundThings({ where: { slug, ref }, typed, goTo }: Props) {
  const search = useDeferredValue(typed.trim())
  const off = useDisabledFeatures()
  const inProject = off('search:fullIndex') ? undefined : ref
  useCommands([
    ...useFoundProjects(slug, search, goTo),
    ...useFoundInProject(inProject, search, goTo),
  ])
  return null
}

/** Of each kind. */
const maxInProject = 8
/** A letter alone finds too much of everything. */
const shortest = 2

/**
 * Tables, queries, functions, buckets and users of a project whose name is being typed. What its caller may not see, and
 * what a project that does not run cannot tell, is not among them.
 */
function useFoundInProject(
  ref: string | undefined,
  typed: string,
  goTo: (to: string) => () => void,
): Command[] {
  const project = ref ?? ''
  const name = searchedName(typed)
  const { data: detail } = useQuery({ ...projectQuery(project), enabled: ref !== undefined })
  const isUp = detail?.status === 'ACTIVE_HEALTHY'
  const isSearched = ref !== undefined && name.length >= shortest
  const enabled = isSearched && isUp
  const lower = name.toLowerCase()
  const has = (text: string) => text.toLowerCase().includes(lower)

  const tables = useQuery({
    ...databaseQuery(pgMeta.entities, {
      ref: project,
      schema: 'public',
      search: name,
      limit: maxInProject,
    }),
    enabled,
  })
  const users = useQuery({
    ...q(authUsers.list, { ref: project, search: name, limit: maxInProject }),
    enabled,
  })
  const buckets = useQuery({ ...q(storage.buckets, { ref: project }), enabled })
  const functions = useQuery({
    ...q(v1Functions.functions, { ref: project }),
    enabled: isSearched,
  })
  const queries = useQuery({
    ...q(snippets.list, { ref: project, name, limit: maxInProject }),
    enabled: isSearched,
  })
  const model = useQuery({ ...q(assistant.status, {}), enabled: isSearched })
  const sql = useOpenSql(project)
  if (!isSearched) return []
  const base = `/project/${project}`
  return [
    ...(tables.data?.entities ?? []).flatMap((table): Command[] => [
      {
        id: `table.${table.id}`,
        section: 'Tables',
        name: table.name,
        hint: 'Open in the table editor',
        icon: Table2,
        run: goTo(`${base}/editor/${table.id}`),
      },
      {
        id: `query-table.${table.id}`,
        section: 'Tables',
        name: `Query table ${table.name}`,
        hint: 'Open in the SQL editor',
        icon: TextSearch,
        run: () =>
          sql.open(
            `Rows of ${table.name}`,
            `select * from ${qualified(table.schema, table.name)} limit 100;`,
          ),
      },
    ]),
    ...(queries.data?.data ?? []).map((query) => ({
      id: `query.${query.id}`,
      section: 'Queries',
      name: query.name,
      icon: FileCode2,
      run: goTo(`${base}/sql/${query.id}`),
    })),
    ...(functions.data ?? [])
      .filter((one) => has(one.name) || has(one.slug))
      .slice(0, maxInProject)
      .map(({ slug }) => ({
        id: `function.${slug}`,
        section: 'Functions',
        name: slug,
        icon: Zap,
        run: goTo(`${base}/functions/${slug}`),
      })),
    ...(buckets.data?.buckets ?? [])
      .filter((bucket) => has(bucket.name))
      .slice(0, maxInProject)
      .map((bucket) => ({
        id: `bucket.${bucket.id}`,
        section: 'Buckets',
        name: bucket.name,
        icon: Archive,
        run: goTo(`${base}/storage/buckets/${encodeURIComponent(bucket.id)}`),
      })),
    ...(users.data?.users ?? []).map((user) => ({
      id: `user.${user.id}`,
      section: 'Users',
      name: user.email ?? user.phone ?? user.id,
      ...(user.name ? { hint: user.name } : {}),
      icon: UserRound,
      run: goTo(`${base}/auth/users?user=${user.id}`),
    })),
    ...(model.data?.configured
      ? [
          {
            id: 'ask-assistant',
            section: 'Assistant',
            name: `Ask the assistant: “${typed}”`,
            icon: Sparkles,
            run: () => void setAssistantOpen(project, true, { initialInput: typed }),
          },
        ]
      : []),
  ]
}
