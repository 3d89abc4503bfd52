#ifndef CLOTH_H
#define CLOTH_H

/* Made by cbindgen from the crate cloth-ffi; change it there. */

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define CLOTH_ALIGNED(n) alignas(n)
#elif defined(_MSC_VER)
#define CLOTH_ALIGNED(n) __declspec(align(n))
#else
#define CLOTH_ALIGNED(n) __attribute__((aligned(n)))
#endif

/*
 Raised whenever a function, a struct or a status changes its meaning.
 */
#define CLOTH_ABI_VERSION 1

/*
 How a call ended. Numbers are never used again for something else.
 */
enum ClothStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   Done.
   */
  CLOTH_STATUS_OK = 0,
  /*
   A pointer is null.
   */
  CLOTH_STATUS_NULL_POINTER = 1,
  /*
   A pointer is not aligned for what it points at (16 bytes for blocks).
   */
  CLOTH_STATUS_MISALIGNED = 2,
  /*
   A count is larger than any memory.
   */
  CLOTH_STATUS_COUNT_TOO_LARGE = 3,
  /*
   Fewer blocks than the model's header says.
   */
  CLOTH_STATUS_MODEL_TOO_SHORT = 16,
  /*
   The blocks do not begin with a model.
   */
  CLOTH_STATUS_NOT_A_MODEL = 17,
  /*
   The model is in the other byte order.
   */
  CLOTH_STATUS_MODEL_BYTE_ORDER = 18,
  /*
   The model has a layout version this library does not read.
   */
  CLOTH_STATUS_MODEL_VERSION = 19,
  /*
   The model was written by a build with other records.
   */
  CLOTH_STATUS_MODEL_LAYOUT = 20,
  /*
   The model's header contradicts itself.
   */
  CLOTH_STATUS_MODEL_HEADER = 21,
  /*
   An item of the model is out of range.
   */
  CLOTH_STATUS_MODEL_ITEM = 22,
  /*
   The model was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_MODEL_REFUSED = 23,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothStatus ClothStatus;
#else
typedef uint32_t ClothStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 The unit of memory of models and states: 16 bytes on a 16-byte boundary.
 */
typedef struct CLOTH_ALIGNED(16) ClothBlock {
  /*
   Four words in the machine's byte order.
   */
  uint32_t words[4];
} ClothBlock;

/*
 What a model holds.
 */
typedef struct ClothModelFacts {
  /*
   Hash of the model's values, equal on every machine.
   */
  uint64_t fingerprint;
  /*
   Vertices of the mesh or chain the model was built from.
   */
  uint32_t source_count;
  /*
   Simulated particles.
   */
  uint32_t particle_count;
  /*
   Particles pinned when the model was built.
   */
  uint32_t pin_count;
  /*
   Levels of aggregates.
   */
  uint32_t level_count;
  /*
   Stretch rows.
   */
  uint32_t stretch_row_count;
  /*
   Skip rows of chains.
   */
  uint32_t skip_row_count;
  /*
   Bend rows over hinges.
   */
  uint32_t hinge_row_count;
  /*
   Zero.
   */
  uint32_t reserved;
} ClothModelFacts;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The `CLOTH_ABI_VERSION` the library was built with. A program that finds another one than in its header was
 compiled against another library.
 */
uint32_t cloth_abi_version(void);

/*
 Checks every index and value of a model and, where all is well, says what it holds.

 # Safety
 `blocks` points at `count` blocks, `facts` at memory for the result.
 */
ClothStatus cloth_model_check(const struct ClothBlock *blocks, size_t count, struct ClothModelFacts *facts);

/*
 Blocks of memory that a state of a model needs, after the checks of `cloth_model_check`.

 # Safety
 `blocks` points at `count` blocks, `needed` at memory for the result.
 */
ClothStatus cloth_state_blocks(const struct ClothBlock *blocks, size_t count, size_t *needed);

/*
 A sentence in English about a status, for a log: a static string, never null, "unknown status" for a number
 that is none. It takes a plain number because a C program may pass any.
 */
const char *cloth_status_message(uint32_t status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CLOTH_H */
