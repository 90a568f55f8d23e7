import { Eye, EyeOff, FlaskConical } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import type { FeaturePreview } from '../../../session/telemetry/preview-list.ts'
import { usePreviewFlags } from '../../../session/telemetry/preview-flags.ts'
import { setPreview, useReleasedPreviews } from '../../../session/telemetry/previews.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { buttonClass } from '../../../ui/controls/button-class.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { SplitDialog } from '../../../ui/floats/SplitDialog.tsx'
import { q } from '../../../api/client.ts'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { descriptions } from './descriptions.ts'
import { useShowPreview } from './preview-param.ts'

/** What people may try before it is everybody's. `wanted` is the key in the address; the first one stands in for one that is not there. */
export function PreviewsDialog({ wanted }: { wanted: string }) {
  const previews = useReleasedPreviews()
  const enabled = usePreviewFlags()
  const show = useShowPreview()
  const chosen = previews.find((preview) => preview.key === wanted) ?? previews[0]
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
  const { data: platform } = useQuery(q(api.platform.status, {}))
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
