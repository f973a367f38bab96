/** What a device can do that decides how its kernels are shaped. */
import type { StepType } from "../../device/matrix-step.ts";
import type { Limits } from "../tails/last-group.ts";

/** Capabilities of a device that a region's geometry depends on. */
export interface ExecutionModel {
  /** Functions may call themselves. */
  readonly recursion?: true;
  /** Most work-items per group; 1: vector and worker loops run as ordinary loops. */
  readonly maxItems: number;
  /** Work-items per group if the user gives no sizes. */
  readonly defaultItems: number;
  /** Work-items along the innermost loop of a nest, the others form rows; absent: chosen to suit the device. */
  readonly width?: number;
  /** Groups of a region that is one loop; absent: from the program, or computed at launch. */
  readonly groups?: number;
  /** Most groups for each compute unit, where a group takes as many rounds as are left. */
  readonly mostGroups?: number;
  /**
   * Most work-items per group if all of a group run code together and the user gives their number; absent: `maxItems`.
   */
  readonly together?: number;
  /** cyclic: neighbouring items get neighbouring iterations (coalescing); block: each group gets a range. */
  readonly partition: "cyclic" | "block";
  /**
   * If a region has one shared loop, each work-item runs at most one iteration:
   * data paths without an enclosing loop can be replicated.
   */
  readonly once?: true;
  /** The kernel language has no work-items: every region runs in order as a single one. */
  readonly inOrder?: true;
  /**
   * How tiles are used. order: iterations run one after the other, tile by tile; groups: as the shape of a group.
   * Absent: not at all, since they cost more than they gain.
   */
  readonly tiles?: "order" | "groups";
  /** Tile sizes for nests of this depth, instead of the program's; none: no tiles. Absent: the program's sizes. */
  readonly tile?: readonly number[] | "none";
  /** Bytes of constants that a kernel of one work-item may contain, where compilers turn them into circuits or ROMs. */
  readonly constants?: number;
  /** Bytes of group memory for copies of arrays in which a group gathers its atomic updates. */
  readonly gather?: number;
  /** Most groups per compute unit of a region whose groups have partial results; absent: eight. */
  readonly partials?: number;
  /** Accesses of neighbouring items should be adjacent in memory: a team of items may share one item's work. */
  readonly teams?: true;
  /**
   * Iterations of a team's loop whose loads an item issues at once; absent: four. Compilers differ in how many loads
   * they keep together.
   */
  readonly loads?: number;
  /** `loads` is what a variant asks for, so that loops are unrolled as often whatever stands beside them. */
  readonly loadsAsked?: true;
  /** Loads of 16 bytes pay in rows of any length; absent: only where the length is constant. */
  readonly wideInAnyLength?: true;
  /** Lanes of teams are counted in 32 bits in all rows that are equally long, not only where the length is constant. */
  readonly narrowTeams?: true;
  /** Neighbouring items can exchange values directly; absent: only through group memory. */
  readonly exchanges?: true;
  /** A launch may be several kernels, some repeated, since groups cannot wait for each other. */
  readonly stages?: true;
  /**
   * Groups see what others stored before fences of both, so the last one to end may go on with it: groups for each compute
   * unit up to which this takes less time than a launch.
   */
  readonly lastGroup?: Limits;
  /** Kernels cannot end the program: the runtime does so after a call through a pointer to no function of the device. */
  readonly noEnd?: true;
  /** The launch allocates arrays whose size is computed at run time, as the kernel language has none. */
  readonly launchArrays?: true;
  /** Bytes of group memory for data that neighbouring items share; absent: each item loads its own. */
  readonly reuse?: number;
  /** Types of which warps multiply small matrices at once (device/matrix-step.ts). */
  readonly matrixUnits?: readonly StepType[];
  /** Iterations that an item interleaves to have several loads in flight; absent: one. */
  readonly perItem?: number;
}
