import { Eye, EyeOff, FlaskConical } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { platform as api } from '#contract/operations/platform'
import type { FeaturePreview } from '../../../session/telemetry/preview-list.ts'
import { usePreviewFlags } from '../../../session/telemetry/preview-flags.ts'
import { setPreview, useReleasedPreviews } from '../../../session/telemetry/previews.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { SplitDialog } from '../../../ui/floats/SplitDialog.tsx'
import { q } from '../../../api/client.ts'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { useShowPreview } from './preview-param.ts'

/** What people may try before it is everybody's. `wanted` is the key in the address; the first one stands in for one that is not there. */
export function PreviewsDialog({ requested }: { requested: string }) {
  const previews = useReleasedPreviews()
  const enabled = usePreviewFlags()
  const show = useShowPreview()
  const chosen = previews.find((preview) => preview.key === requested) ?? previews[0]
  if (!chosen) return <NoPreviews onClose={show.close} />

  return (
    <SplitDialog
      title="Feature previews"
      onClose={show.close}
      list={
        <nav aria-label="Feature previews">
          {previews.map(({ key, name }) => (
            <button
              key={key}
              type="button"
              aria-current={key === chosen.key || undefined}
              onClick={() => show.choose(key)}
            >
              <Icon
                of={enabled[key] ? Eye : EyeOff}
                size="s"
                className={enabled[key] ? 'on' : undefined}
              />
              {name}
              {enabled[key] && <span className="sr">(enabled)</span>}
            </button>
          ))}
        </nav>
      }
      head={<Head preview={chosen} enabled={enabled[chosen.key] === true} />}
    >
      <Description of={chosen} />
    </SplitDialog>
  )
}

type HeadProps = { preview: FeaturePreview & { denial: string | undefined }; enabled: boolean }

function Head({ preview: { key, name, isNew, discussionsUrl, denial }, enabled }: HeadProps) {
  return (
    <>
      <h3 className="ell">{name}</h3>
      {isNew && <Badge tone="solid">New</Badge>}
      <span className="grow" />
      {discussionsUrl && (
        <a
          className={buttonClass({ variant: 'ghost' })}
          href={discussionsUrl}
          target="_blank"
          rel="noreferrer"
        >
          Give feedback
        </a>
      )}
      <Button disabledReason={!enabled && denial} onClick={() => setPreview(key, !enabled)}>
        {enabled ? 'Disable feature' : 'Enable feature'}
      </Button>
    </>
  )
}

function Description({ of: { key, denial } }: { of: { key: string; denial: string | undefined } }) {
  const text = descriptions[key]
  return (
    <>
      {text && (
        <>
          <p>{text.what}</p>
          <div>
            <h4>What changes</h4>
            <ul>
              {text.changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          </div>
        </>
      )}
      {denial && (
        <p className="muted row t12">
          <Icon of={FlaskConical} size="s" />
          {denial}.
        </p>
      )}
    </>
  )
}

/** The sentence is the requirements' (§2). */
function NoPreviews({ onClose }: { onClose: () => void }) {
  const { data: platform } = useQuery(q(api.status, {}))
  const discussions = 'GitHub Discussions'
  return (
    <Dialog open onClose={onClose} title="Feature previews">
      <div className="empty">
        <Icon of={FlaskConical} />
        <h3>No feature previews available</h3>
        <p>
          Have an idea for the dashboard? Let us know via{' '}
          {platform?.discussions_url ? (
            <a className="link" href={platform.discussions_url} target="_blank" rel="noreferrer">
              {discussions}
            </a>
          ) : (
            discussions
          )}
          !
        </p>
      </div>
    </Dialog>
  )
}

/** What each preview is and what it changes; by its key. */
const descriptions: Readonly<Record<string, { what: string; changes: readonly string[] }>> = {
  'supabase-ui-preview-unified-logs': {
    what: 'One page for the logs of every service: Postgres, the API gateway, auth, storage, functions and realtime. Filter by service, status and time, and follow one request from the gateway to the query it ran.',
    changes: [
      'Logs opens the new page. The pages of each service stay beside it.',
      'The values of a filter show how often they occur.',
    ],
  },
  'supabase-ui-branching-2-0': {
    what: 'Create and merge branches of a project in the dashboard, without a Git repository. A branch is a separate project, with the schema of the one it was created from.',
    changes: [
      'In the branch switcher, you can create a branch and manage all of them.',
      'A branch merges only into main, and only after its changes were reviewed.',
    ],
  },
  'supabase-ui-advisor-rules': {
    what: 'Switch off individual rules of the security and performance advisors: for a whole project, or for yourself only.',
    changes: [
      'The advisors get a rules page, under Advisors, Rules.',
      'The advisors neither list nor count the findings of a rule that is off.',
    ],
  },
  'new-storage-ui': {
    what: 'Files first: the buckets of a project next to their contents, with their policies and settings one click away.',
    changes: [
      'Storage opens at Files instead of the list of buckets.',
      'Links to a bucket open the same bucket in the new page.',
    ],
  },
  'supabase-ui-preview-inline-editor': {
    what: 'Edit functions, triggers and policies as SQL in a panel beside the list, instead of a form.',
    changes: [
      'Create and edit open the SQL of a function, trigger or policy in a panel.',
      'You see the statement before it runs, and it runs only when you confirm.',
    ],
  },
  'supabase-ui-api-side-panel': {
    what: 'The documentation of a project API in a panel over the page you are on, with the names of your own tables and functions in every example.',
    changes: [
      'The API documentation opens as a panel from the rail and from a table.',
      'Examples use the entity that is open.',
    ],
  },
  'supabase-ui-cls': {
    what: 'Grant and revoke privileges on individual columns, role by role.',
    changes: [
      'Database gets a page for column privileges.',
      'Column privileges are not captured in migrations.',
    ],
  },
}
