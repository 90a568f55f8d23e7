import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { projectQuery } from '../session/project/project.ts'
import { closeDialogs } from './open-dialogs.ts'
import { useWhere } from '../session/project/where.ts'

/** Where one is, in words: "storefront / main", an organization's name, or nothing. Going elsewhere closes the menus. */
export function usePlace(): string | undefined {
  const { slug, ref } = useWhere()
  const { data: project } = useQuery({ ...projectQuery(ref ?? ''), enabled: ref !== undefined })
  const { data: organizations } = useQuery(organizationsQuery)
  const { pathname } = useLocation()
  useEffect(() => closeDialogs, [pathname])
  if (ref) return project && `${project.name} / main`
  return organizations?.find((organization) => organization.slug === slug)?.name
}
