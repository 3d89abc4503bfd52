/* Gives the library less memory than it says, which no library can see: the sanitizer has to. */

#include "cloth.h"

#include <stdlib.h>

int main(void) {
    ClothFabric *fabric = (ClothFabric *)malloc(sizeof *fabric / 8 * 4);
    ClothStatus status;
    if (fabric == NULL) {
        return 0;
    }
    status = cloth_fabric(0, fabric);
    free(fabric);
    return status != CLOTH_STATUS_OK;
}
