import { Link } from '@tanstack/react-router'
import { databaseObjects } from '#contract/database/database-objects'
import type { Extension } from '#contract/database/database-object-shapes'
import { pgMeta } from '#contract/database/pg-meta'
import { webhooks } from '#contract/integrations/webhooks'
import { call, useChange } from '../../../api/client.ts'
import { pageAddress, type Integration } from '../../../modules/integrations/catalogue.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { callDatabase } from '../../../session/project/database.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { StateBadge, useIntegrationStates } from './IntegrationCard.tsx'
import './hub.css'

type Props = { projectRef: string; of: Integration }

/** /project/{ref}/integrations/about/{id}: what an integration does, what it needs, and how it is enabled. */
export function OverviewPage({ projectRef, of }: Props) {
  const { name, line, about, extensions, page, sql } = of
  const { extensions: data, error, retry, stateOf } = useIntegrationStates(projectRef)
  const state = stateOf(of)
  return (
    <Page width="list">
      <PageHead
        title={name}
        help={line}
        actions={
          state === 'available' ? (
            <EnableButton projectRef={projectRef} of={of} />
          ) : (
            state && (
              <Link className="btn" to={pageAddress(projectRef, of)}>
                Open {page.name}
              </Link>
            )
          )
        }
      />
      <div className="sections">
        {error && <ErrorNote what="Its state" error={error} onRetry={retry} />}
        <Card title="What it does" end={state && <StateBadge state={state} />}>
          <div className="integration-about">
            {about.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </Card>
        {extensions.length > 0 && (
          <Card title="What it needs" padded={false}>
            {extensions.map((needed) => (
              <Needed
                key={needed}
                projectRef={projectRef}
                name={needed}
                extension={data?.find((one) => one.name === needed)}
                known={data !== undefined}
              />
            ))}
          </Card>
        )}
        {sql && (
          <Card title="In SQL">
            <CodeBlock code={sql} language="sql" />
          </Card>
        )}
      </div>
    </Page>
  )
}

type NeededProps = {
  projectRef: string
  name: string
  extension: Extension | undefined
  known: boolean
}

function Needed({ projectRef, name, extension, known }: NeededProps) {
  return (
    <div className="set-row">
      <div className="grow">
        <b>Extension</b> <span className="mono">{name}</span>
        {known && <p>{wordsOf(extension)}</p>}
      </div>
      <Link
        className="btn"
        to="/project/$ref/database/extensions"
        params={{ ref: projectRef }}
        search={{ q: name }}
      >
        Show in Extensions
      </Link>
    </div>
  )
}

function wordsOf(extension: Extension | undefined): string {
  if (!extension) return 'This server does not have it. Its operator can add it.'
  const { installed_version: installed, default_version: version, schema, may_enable } = extension
  if (installed !== null) return `Version ${installed}, in the schema ${schema}.`
  return may_enable
    ? `Version ${version} is on this server and not enabled yet.`
    : 'It reaches beyond this database, so only the server operator can enable it.'
}

function EnableButton({ projectRef, of }: Props) {
  const denied = useDenials(useProject(projectRef))
  const enable = useChange(
    async () => {
      if (of.enabling === 'webhooks') {
        await call(webhooks.enable, { ref: projectRef })
        return
      }
      for (const name of of.extensions) {
        await callDatabase(databaseObjects.createExtension, {
          ref: projectRef,
          name,
          cascade: true,
        })
      }
    },
    {
      changes: [databaseObjects.extensions, pgMeta.schemas, webhooks.state],
      onSuccess: () => {
        toast.success(`${of.name} enabled`)
      },
    },
  )
  return (
    <>
      {enable.error && <Alert variant="danger" title={enable.error.message} />}
      <Button
        variant="primary"
        busy={enable.isPending}
        disabledReason={denied(
          of.enabling === 'webhooks' ? webhooks.enable : databaseObjects.createExtension,
        )}
        onClick={() => enable.mutate()}
      >
        Enable {of.name}
      </Button>
    </>
  )
}
