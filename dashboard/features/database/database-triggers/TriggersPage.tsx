import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { databaseTriggers } from '#contract/database/database-triggers'
import { CreateButton, ObjectPage } from '../../../modules/objects/ObjectPage.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { EventTriggerTab } from './EventTriggerTab.tsx'
import { eventTriggersQuery } from './queries.ts'
import type { TriggerSearch } from './search.ts'
import { TriggerTab } from './TriggerTab.tsx'

type Props = {
  projectRef: string
  search: TriggerSearch
  onSearch: (search: TriggerSearch) => void
}

/** /project/{ref}/database/triggers */
export function TriggersPage({ projectRef, search, onSearch }: Props) {
  const { schema = 'public', find = '', tab } = search
  const [creating, setCreating] = useState(false)
  const why = useDenials(useProject(projectRef))
  const events = useQuery({ ...eventTriggersQuery(projectRef), enabled: tab === 'events' })
  const ofEvents =
    tab === 'events' && events.data && !events.data.can_create
      ? 'Only a superuser can create event triggers, and a project’s own role is not one'
      : undefined
  const denied = why(databaseTriggers.create) ?? (tab === 'events' ? ofEvents : protection(schema))
  const create = (
    <CreateButton
      label={tab === 'events' ? 'New event trigger' : 'New trigger'}
      denied={denied}
      onCreate={() => setCreating(true)}
    />
  )
  const shared = { projectRef, find, create, creating, onCreated: () => setCreating(false) }
  return (
    <ObjectPage
      projectRef={projectRef}
      title="Triggers"
      help="Functions that the database calls when rows or its structure change."
      one="trigger"
      search={search}
      onSearch={onSearch}
      create={create}
      ofAll={tab === 'events'}
      tabs={
        <Tabs
          label="Kind of trigger"
          look="pills"
          tabs={[
            { id: 'tables', label: 'Of tables' },
            { id: 'events', label: 'Event triggers' },
          ]}
          value={tab ?? 'tables'}
          onChange={(next) =>
            onSearch(next === 'events' ? { ...search, tab: next } : { schema, find })
          }
        />
      }
    >
      {tab === 'events' ? (
        <EventTriggerTab {...shared} />
      ) : (
        <TriggerTab {...shared} schema={schema} />
      )}
    </ObjectPage>
  )
}
