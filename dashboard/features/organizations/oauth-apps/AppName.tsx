import { Avatar } from '../../../ui/text/Avatar.tsx'

type App = { name: string; website: string; icon: string | null }

/** Picture, name and website of an app. */
export function AppName({ app }: { app: App }) {
  return (
    <span className="row app-name">
      <AppPicture app={app} />
      <span className="app-words">
        <span className="med ell">{app.name}</span>
        <a className="faint t12 ell" href={app.website} target="_blank" rel="noreferrer noopener">
          {hostOf(app.website)}
        </a>
      </span>
    </span>
  )
}

export const AppPicture = ({ app, size = 32 }: { app: App; size?: 32 | 40 }) =>
  app.icon === null ? (
    <Avatar name={app.name} square size={size} />
  ) : (
    <img className="app-picture" src={app.icon} alt="" width={size} height={size} />
  )

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
