import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '#contract/api'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { AppPanel } from './AppPanel.tsx'
import { AuthorizedList } from './AuthorizedList.tsx'
import { DeleteAppDialog } from './DeleteAppDialog.tsx'
import { PublishedList } from './PublishedList.tsx'
import { authorizedQuery, publishedQuery } from './queries.ts'
import { RotateDialog } from './RotateDialog.tsx'
import { type NewSecret, SecretDialog } from './SecretDialog.tsx'
import './oauth-apps.css'

type Doing = { what: 'create' } | { what: 'edit' | 'rotate' | 'delete'; app: OAuthApp }

/** /org/{slug}/apps: apps that this organization publishes, and apps that it lets in. */
export function AppsPage({ slug }: { slug: string }) {
  const why = useDenials({ organizationSlug: slug })
  const published = useQuery(publishedQuery(slug))
  const authorized = useQuery(authorizedQuery(slug))
  const [typed, setTyped] = useState('')
  const [doing, setDoing] = useState<Doing>()
  const [secret, setSecret] = useState<NewSecret>()
  const search = typed.trim().toLowerCase()
  const matching = (apps: OAuthApp[] | undefined) =>
    apps?.filter(({ name, client_id: id }) => `${name} ${id}`.toLowerCase().includes(search))
  const close = () => setDoing(undefined)
  const shown = (made: NewSecret) => {
    close()
    setSecret(made)
  }
  const publish = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={why(api.oauthApps.create)}
      onClick={() => setDoing({ what: 'create' })}
    >
      Publish app
    </Button>
  )
  return (
    <Page>
      <PageHead
        title="OAuth apps"
        help="Apps that act for people on this platform, with their consent."
        actions={
          <>
            <SearchField label="Find an app" value={typed} onChange={setTyped} />
            {publish}
          </>
        }
      />
      <div className="sections">
        <PublishedList
          query={published}
          apps={matching(published.data)}
          typed={typed}
          publish={publish}
          why={why}
          onChoose={(what, app) => setDoing({ what, app })}
        />
        <AuthorizedList
          slug={slug}
          query={authorized}
          apps={matching(authorized.data)}
          typed={typed}
        />
      </div>
      {doing?.what === 'create' && (
        <AppPanel slug={slug} app={undefined} onClose={close} onMade={shown} />
      )}
      {doing?.what === 'edit' && (
        <AppPanel slug={slug} app={doing.app} onClose={close} onMade={shown} />
      )}
      {doing?.what === 'rotate' && (
        <RotateDialog slug={slug} app={doing.app} onClose={close} onMade={shown} />
      )}
      {doing?.what === 'delete' && <DeleteAppDialog slug={slug} app={doing.app} onClose={close} />}
      {secret && <SecretDialog made={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}
