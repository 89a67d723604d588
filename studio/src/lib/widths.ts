/** The widths at which the layout changes, for what is not even made where it is not shown. */

import { MediaQuery } from "svelte/reactivity";

/** no room beside the board */
export const isNarrow = new MediaQuery("(max-width: 1179px)");
/** a phone */
export const isPhone = new MediaQuery("(max-width: 719px)");
