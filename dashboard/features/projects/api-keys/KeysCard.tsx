import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { apiKeys, type ApiKey, type ApiKeyType } from '#contract/projects/api-keys'
import { inProject } from '#contract/permissions'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import { keyColumns } from './key-columns.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { apiKeysQuery } from './queries.ts'
import './api-keys.css'

const words: Record<ApiKeyType, { title: string; help: string; none: string }> = {
  publishable: {
    title: 'Publishable keys',
    help: 'For web pages and apps, where anyone can read them. Row level security decides what they see.',
    none: 'Create one for a web page or an app.',
  },
  secret: {
    title: 'Secret keys',
    help: 'For your servers only. They bypass every policy, and requests from browsers with them are refused.',
    none: 'Create one for each server or script, so that you can delete one without the others.',
  },
}

type Doing = { what: 'new' } | { what: 'edit' | 'delete'; key: ApiKey }

/** All keys of one type, and what can be done with them. */
export function KeysCard({ projectRef, type }: { projectRef: string; type: ApiKeyType }) {
  const query = useQuery(apiKeysQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const { title, help, none } = words[type]
  const unreadable = why(apiKeys.get)
  const make = (
    <Button
      icon={Plus}
      disabledReason={why(apiKeys.create)}
      onClick={() => setDoing({ what: 'new' })}
    >
      New {type} key
    </Button>
  )
  return (
    <Card title={title} end={make} padded={false}>
      <p className="help card-help">{help}</p>
      <Table
        label={title}
        columns={keyColumns({
          projectRef,
          why,
          mayNotReveal: why({ needs: inProject('read:Read', 'service_api_keys.service_role_key') }),
          onEdit: (key) => setDoing({ what: 'edit', key }),
          onDelete: (key) => setDoing({ what: 'delete', key }),
        })}
        rows={query.data?.filter((key) => key.type === type)}
        keyOf={({ id }) => id}
        rowHeight={60}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState
            icon={KeyRound}
            title={unreadable ? 'Keys are not shown' : `No ${type} key yet`}
          >
            {unreadable ? 'Your role cannot read the keys of this project.' : none}
          </EmptyState>
        }
      />
      {doing?.what === 'new' && <NewKeyDialog {...{ projectRef, type }} onClose={close} />}
      {doing?.what === 'edit' && (
        <EditKeyDialog projectRef={projectRef} apiKey={doing.key} onClose={close} />
      )}
      {doing?.what === 'delete' && (
        <DeleteKeyDialog projectRef={projectRef} apiKey={doing.key} onClose={close} />
      )}
    </Card>
  )
}
