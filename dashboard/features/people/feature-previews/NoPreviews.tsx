import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { api } from '#contract/api'
import { q } from '../../../api/client.ts'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'

/** The sentence is the requirements' (§2). */
export function NoPreviews({ onClose }: { onClose: () => void }) {
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
