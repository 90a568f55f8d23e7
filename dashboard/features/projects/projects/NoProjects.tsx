import { Database } from 'lucide-react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { NewProjectLink } from './NewProjectLink.tsx'

export function NoProjects({ slug }: { slug: string }) {
  return (
    <EmptyState icon={Database} title="No projects yet" action={<NewProjectLink slug={slug} />}>
      A project is a dedicated Postgres server with an API in front of it.
    </EmptyState>
  )
}
