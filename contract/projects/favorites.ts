import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

/** Projects that one person can mark. */
export const maxFavorites = 100

/** The projects that a person has marked: they come first in the lists of that person, and nobody else sees it. */
export const favorites = {
  list: endpoint('favorites.list', 'GET /platform/profile/favorites', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({ refs: z.array(z.string()) }),
  }),
  set: endpoint('favorites.set', 'PUT /platform/projects/:ref/favorite', {
    needs: inProject('read:Read', 'projects'),
    input: z.object({ ref: ProjectRef, favorite: z.boolean() }),
    returns: z.object({ favorite: z.boolean() }),
  }),
}
