import { favorites as api, maxFavorites } from '#contract/projects/favorites'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { favoriteStore, type FavoriteStore } from './store.ts'

/** The projects that a person has marked. The lists of projects put them first. */
export const favoritesFeature = ({ db }: Platform) => ({
  routes: favoriteRoutes(favoriteStore(db)),
})

const favoriteRoutes = (store: FavoriteStore) => [
  implement(api.list, async (_, { userId }) => ({ refs: await store.refs(userId) })),
  implement(api.set, async ({ ref, favorite }, { userId }) => {
    if (!favorite) await store.remove(userId, ref)
    else if (!(await store.add(userId, ref, maxFavorites)))
      throw new ApiError('invalid_input', `You can mark up to ${maxFavorites} projects`)
    return { favorite }
  }),
]
