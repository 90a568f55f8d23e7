import { afterEach, expect, test } from 'vitest'
import { projects as api } from '#contract/projects/projects'
import type { Project, ProjectListItem } from '#contract/projects/projects'
import { q, queryClient } from '../../api/client.ts'
import { allProjectsQuery, organizationProjectsQuery } from './project-lists.ts'
import { setPostgrestStatus, setProjectStatus } from './set-project-status.ts'

afterEach(() => queryClient.clear())

const [books, maps] = ['b'.repeat(20), 'm'.repeat(20)]
const keyOf = (ref: string) => q(api.detail, { ref }).queryKey
const listed = (ref: string) => ({ ref, status: 'ACTIVE_HEALTHY' }) as ProjectListItem
const pages = {
  pages: [
    {
      projects: [listed(books), listed(maps)],
      pagination: { count: 2, limit: 100, offset: 0 },
    },
  ],
  pageParams: [0],
}
const lists = [organizationProjectsQuery('acme').queryKey, allProjectsQuery('').queryKey] as const

function known() {
  const detail = { ref: books, status: 'ACTIVE_HEALTHY', postgrestStatus: 'ONLINE' } as Project
  queryClient.setQueryData(keyOf(books), detail)
  for (const key of lists) queryClient.setQueryData(key, pages)
}

test('a status that is set shows in the details and in every list, of an organization and overall', () => {
  known()
  setProjectStatus(books, 'RESTARTING')
  expect(queryClient.getQueryData(keyOf(books))?.status).toBe('RESTARTING')
  for (const key of lists)
    expect(queryClient.getQueryData(key)?.pages[0]?.projects).toEqual([
      { ref: books, status: 'RESTARTING' },
      listed(maps),
    ])
})

test('whether the data API answers is set in the details, apart from the status of the project', () => {
  known()
  setPostgrestStatus(books, 'OFFLINE')
  expect(queryClient.getQueryData(keyOf(books))).toMatchObject({
    status: 'ACTIVE_HEALTHY',
    postgrestStatus: 'OFFLINE',
  })
  expect(queryClient.getQueryData(lists[0])).toEqual(pages)
})

test('a project that nobody has read stays unread', () => {
  setProjectStatus(maps, 'PAUSING')
  setPostgrestStatus(maps, 'ONLINE')
  expect(queryClient.getQueryData(keyOf(maps))).toBeUndefined()
})
